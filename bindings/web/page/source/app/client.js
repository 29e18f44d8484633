// Sends requests to the worker. If no worker can start, the same code runs in the page itself.

function makeClient(onEvent) {
  let last = 0;
  const asked = new Map();
  const receive = ({ data }) => {
    if (data.event) return onEvent(data);
    const { resolve, reject } = asked.get(data.id) ?? {};
    asked.delete(data.id);
    if (data.failure !== undefined) reject?.(new Error(data.failure));
    else resolve?.(data.answer);
  };
  let post;

  function inPage() {
    const scope = { postMessage: (data) => queueMicrotask(() => receive({ data })) };
    engineRoom(scope);
    post = (message) => setTimeout(() => scope.onmessage({ data: message }));
  }

  function inWorker() {
    const url = URL.createObjectURL(new Blob([`"use strict";(${engineRoom})(self);`], { type: 'text/javascript' }));
    const worker = new Worker(url);
    worker.onmessage = receive;
    post = (message) => worker.postMessage(message);
    return new Promise((resolve, reject) => {
      worker.onerror = (event) => (event.preventDefault(), worker.terminate(), reject(new Error('no worker')));
      ask('begin', { packed: packedEngine() }).then(resolve, reject);
    });
  }

  function ask(job, given = {}) {
    const id = ++last;
    return new Promise((resolve, reject) => {
      asked.set(id, { resolve, reject });
      post({ id, job, ...given });
    });
  }

  async function begin() {
    try {
      await inWorker();
    } catch (error) {
      if (/WebAssembly|wasm|Decompression/i.test(error.message)) throw error;
      inPage();
      await ask('begin', { packed: packedEngine() });
    }
    document.getElementById('engine').textContent = '';
  }

  return { begin, ask };
}

function packedEngine() {
  return document.getElementById('engine').textContent;
}
