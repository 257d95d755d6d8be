// Browsers start no worker for a page that is opened as a file, and the search runs in one: here it runs in a frame.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const place = new URL(url, document.baseURI);
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const inside = frame.contentWindow;
      inside.postMessage = data => this.dispatchEvent(new MessageEvent("message", { data }));
      const load = source => new Promise((done, failed) => {
        const script = inside.document.createElement("script");
        script.src = new URL(source, place).href;
        script.onload = done;
        script.onerror = failed;
        inside.document.body.append(script);
      });
      inside.importScripts = (...sources) => sources.reduce((before, source) => before.then(() => load(source)), Promise.resolve());
      // What is asked before the script is there waits for it.
      this.ready = load(place).catch(() => this.dispatchEvent(new ErrorEvent("error")));
      this.send = data => inside.dispatchEvent(new inside.MessageEvent("message", { data }));
      this.frame = frame;
    }
    postMessage(data) {
      this.ready.then(() => this.send(data));
    }
    terminate() {
      this.frame.remove();
    }
  };
}
