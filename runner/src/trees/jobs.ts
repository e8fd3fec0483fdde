import type { Owner } from '../processes/running-process.ts'
import type { Usage } from './measure.ts'
import { measure } from './measure.ts'
import { removeTree } from './remove-tree.ts'
import { stripRights, takeOver } from './take-over.ts'
import type { Work } from './walk.ts'

export type Job =
  | { readonly what: 'remove'; readonly path: string }
  | { readonly what: 'strip'; readonly path: string }
  | { readonly what: 'take over'; readonly path: string; readonly owner: Owner }
  | { readonly what: 'measure'; readonly path: string; readonly most: Usage }

export type JobResult = Usage | undefined

export interface Order {
  readonly id: number
  readonly job: Job
  readonly withinMs: number
}

export type Answer =
  | { readonly id: number; readonly result: JobResult }
  | { readonly id: number; readonly problem: { readonly message: string; readonly code: string | undefined } }

/** Begins nothing before it is driven. */
export function* work(job: Job): Work<JobResult> {
  switch (job.what) {
    case 'remove':
      yield* removeTree(job.path)
      return undefined
    case 'strip':
      yield* stripRights(job.path)
      return undefined
    case 'take over':
      yield* takeOver(job.path, job.owner)
      return undefined
    case 'measure':
      return yield* measure(job.path, job.most)
  }
}
