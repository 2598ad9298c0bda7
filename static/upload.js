// Shows how much of an upload has arrived. The form works without it.
"use strict";
for (const form of document.querySelectorAll("form[data-upload]")) {
  form.addEventListener("submit", (event) => {
    const box = form.querySelector("[data-progress]");
    const bar = box.querySelector("progress");
    const text = box.querySelector("p");
    const request = new XMLHttpRequest();
    event.preventDefault();
    box.hidden = false;
    form.querySelector("button").disabled = true;
    request.upload.addEventListener("progress", (e) => {
      if (!e.lengthComputable) return;
      bar.value = e.loaded / e.total;
      text.textContent = `${form.dataset.word} ${Math.floor((100 * e.loaded) / e.total)} %`;
    });
    request.addEventListener("load", () => {
      if (request.status < 400) {
        // A redirect was followed; its fragment is not told, the case page finds the item by itself.
        window.location.assign(request.responseURL);
        return;
      }
      document.open();
      document.write(request.responseText);
      document.close();
    });
    // The connection broke: send it once more as a plain form, so that the browser says why.
    request.addEventListener("error", () => form.submit());
    request.open("POST", form.action);
    request.send(new FormData(form));
  });
}
