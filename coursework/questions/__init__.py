"""What is asked, and how an answer is judged; the sandbox and students at home need it, too."""
