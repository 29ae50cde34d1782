// The sliders of attention_lib.explore on the website: puts the frames that the page holds under
// their sliders. player.py beside this file writes the format and documents it.
function play(player) {
  const { lines, pictures, tables, notes } = JSON.parse(player.querySelector("script").textContent);
  const picture = player.querySelector(".explore-picture");
  const note = player.querySelector(".explore-note");
  const table = player.querySelector(".explore-table");
  const sliders = [...player.querySelectorAll("input")];
  const choices = sliders.map((slider) => JSON.parse(slider.dataset.choices));
  const labels = sliders.map((slider) => slider.parentElement.querySelector("span").textContent);
  const unpack = (numbers) => numbers.map((number) => lines[number]).join("\n");

  const show = () => {
    let frame = 0;
    const settings = sliders.map((slider, i) => {
      const value = choices[i][slider.valueAsNumber];
      frame = frame * choices[i].length + slider.valueAsNumber;
      slider.nextElementSibling.value = value;
      slider.setAttribute("aria-valuetext", value);
      return `${labels[i]} = ${value}`;
    });
    picture.innerHTML = unpack(pictures[frame]);
    picture.setAttribute("aria-label", [player.dataset.alt, settings.join(", ")].filter(Boolean).join(": "));
    note.textContent = notes[frame];
    if (table) table.innerHTML = unpack(tables[frame]);
  };

  for (const slider of sliders) {
    slider.disabled = false;
    slider.addEventListener("input", show);
  }
  show();
}

document.querySelectorAll(".explore").forEach(play);
