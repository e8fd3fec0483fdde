import { replaceEqualDeep } from '@tanstack/react-query'
import type { RunRow } from '../run.ts'

/** One page of the list, as it was read. */
export interface RunPages {
  readonly pages: readonly { readonly body: readonly RunRow[] }[]
}

/** What a look at the beginning of the list says of what is shown. */
export interface Look {
  /** Runs above the first one that is shown, newest first. */
  readonly fresh: readonly RunRow[]
  /** The whole look is new: there may be more between it and what is shown. */
  readonly hasGap: boolean
}

/** Ids of runs go by time: the greater is the newer. */
export function lookAt(data: RunPages | undefined, beginning: readonly RunRow[]): Look {
  const newest = data?.pages.flatMap(({ body }) => body)[0]?.run_id
  const fresh = newest === undefined ? beginning : beginning.filter(({ run_id: id }) => id > newest)
  return { fresh, hasGap: newest !== undefined && fresh.length > 0 && fresh.length === beginning.length }
}

/** The same rows in the same places, those among `changed` as they are now; a row that says the same stays the same object. */
export function patchRuns<Data extends RunPages>(data: Data, changed: readonly RunRow[]): Data {
  const byId = new Map(changed.map((run) => [run.run_id, run]))
  return {
    ...data,
    pages: data.pages.map((page) => ({
      ...page,
      body: page.body.map((run) => replaceEqualDeep(run, byId.get(run.run_id) ?? run)),
    })),
  }
}

/** With these rows above all others. */
export function prependRuns<Data extends RunPages>(data: Data, fresh: readonly RunRow[]): Data {
  const [first, ...others] = data.pages
  if (!first) return data
  const shown = new Set(first.body.map(({ run_id: id }) => id))
  const added = fresh.filter(({ run_id: id }) => !shown.has(id))
  return { ...data, pages: [{ ...first, body: [...added, ...first.body] }, ...others] }
}
