"""A filter of system calls for the sandbox: what no answer needs is refused.

Threads may be started, processes may not. Memory that the limits of a process do not count, and
what would build new name spaces or look into other processes, is closed.
"""

import errno
import tempfile


class NoSandbox(RuntimeError):
    """Student code cannot be locked up on this machine, so it is not run."""


REFUSED = {
    "processes": "fork vfork pidfd_open pidfd_getfd",
    "memory shared between processes": (
        "shmget shmat shmdt shmctl msgget msgsnd msgrcv msgctl semget semop semctl semtimedop "
        "mq_open mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr"
    ),
    "files without a folder": "memfd_create memfd_secret",
    "name spaces": "unshare setns",
    "mounts": (
        "mount umount2 pivot_root chroot fsopen fsconfig fsmount fspick move_mount open_tree "
        "mount_setattr quotactl quotactl_fd swapon swapoff"
    ),
    "files by their numbers": "name_to_handle_at open_by_handle_at",
    "keyrings": "add_key request_key keyctl",
    "a second way to every call": "io_uring_setup io_uring_enter io_uring_register",
    "other processes": "ptrace process_vm_readv process_vm_writev process_madvise kcmp",
    "the kernel": (
        "bpf perf_event_open userfaultfd fanotify_init init_module finit_module delete_module "
        "kexec_load kexec_file_load syslog"
    ),
}
CLONE_THREAD = 0x00010000
INET6 = 10  # the numbers of other families of sockets in use are higher


def refuse_what_no_answer_needs() -> bytes:
    """A program in the kernel's filter language, for bwrap's ``--seccomp``.

    Raises:
        NoSandbox: libseccomp, which writes it for the kind of machine at hand, is not installed.

    Source: the kernel's documentation, "Seccomp BPF"; the list follows what Docker refuses.
    """
    try:
        import pyseccomp as seccomp  # fails where the library that it binds is not there
    except RuntimeError as error:
        raise NoSandbox(
            f"no filter of system calls: {error} (apt-get install libseccomp2)"
        ) from None

    calls = seccomp.SyscallFilter(seccomp.ALLOW)
    refuse, unknown = seccomp.ERRNO(errno.EPERM), seccomp.ERRNO(errno.ENOSYS)
    for name in " ".join(REFUSED.values()).split():
        # A library that is older than a call cannot refuse it, one for a machine without need not.
        if seccomp.resolve_syscall(seccomp.Arch.NATIVE, name) != -1:
            calls.add_rule(refuse, name)
    calls.add_rule(refuse, "clone", seccomp.Arg(0, seccomp.MASKED_EQ, CLONE_THREAD, 0))
    calls.add_rule(unknown, "clone3")  # hides its flags; the C library then falls back on clone
    # Of sockets, those of a network that is not there, and those between parts of a process.
    no_family = seccomp.ERRNO(errno.EAFNOSUPPORT)
    calls.add_rule(no_family, "socket", seccomp.Arg(0, seccomp.GT, INET6))
    with tempfile.TemporaryFile() as file:
        calls.export_bpf(file)
        file.seek(0)
        return file.read()
