import { useTitle } from '../parts/use-title.ts';
import { go, linkTo } from '../route.ts';

/** Where the id of a run or a batch is given: it is the key to it, so there is no list of them. */
export function RunsView() {
  useTitle('Runs');
  return (
    <>
      <h1>Runs</h1>
      <p class="lead">
        A run or a batch is found by its id alone, which <code>POST /runs</code> answers. With the harness
        key, under “Keys”, a run is shown with its options, faults and score, and a batch with its runs.
      </p>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          const text = String(new FormData(event.currentTarget).get('id') ?? '');
          const id = text.trim().replace(/\/+$/, '').split('/').pop() ?? '';
          if (id !== '') go(linkTo(['runs', id]));
        }}
      >
        <label>
          Id or address of a run or a batch
          <input name="id" autocomplete="off" spellcheck={false} />
        </label>
        <button type="submit">Show</button>
      </form>
    </>
  );
}
