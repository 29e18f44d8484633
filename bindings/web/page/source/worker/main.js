// Answers the messages of the page.

function serve(scope) {
  let jobs = null;
  const waiting = [];
  const tell = (message) => scope.postMessage(message);

  async function answer({ id, job, ...given }) {
    try {
      tell({ id, answer: await jobs[job](given) });
    } catch (error) {
      tell({ id, failure: String((error && error.message) || error) });
    }
  }

  scope.onmessage = async ({ data }) => {
    if (data.job !== 'begin') {
      if (jobs) answer(data);
      else waiting.push(data);
      return;
    }
    try {
      jobs = makeJobs(await makeEngine(data.packed), tell);
      tell({ id: data.id, answer: {} });
      waiting.splice(0).forEach(answer);
    } catch (error) {
      tell({ id: data.id, failure: String((error && error.message) || error) });
    }
  };
}
