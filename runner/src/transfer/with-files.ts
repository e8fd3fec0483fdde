import type { Assign } from '@signalbox/contracts/runner'
import type { Execution, ExecutionListener, Executor } from '../executors/executor.ts'
import type { TaskFiles } from '../executors/workspace/attempt-workspace.ts'
import type { ProcessEnd } from '../processes/running-process.ts'
import { type FilesTools, keepFiles } from './files.ts'

/** An executor whose tasks end only after their files are kept. */
export function withFiles(executor: Executor, tools: FilesTools): Executor {
  return {
    start(assign, listener) {
      // Most tasks leave nothing: they are as if this were not here.
      return assign.transfer === undefined ? executor.start(assign, listener) : start(executor, tools, assign, listener)
    },
  }
}

function start(executor: Executor, tools: FilesTools, assign: Assign, listener: ExecutionListener): Execution {
  const stop = new AbortController()
  const execution: Execution = executor.start(assign, {
    ...listener,
    ended: (end) =>
      void keepLeft(tools, assign, end, {
        files: execution.workspace.files(),
        note: (sentence) => listener.note(sentence),
        signal: stop.signal,
      }).then((last) => listener.ended(last)),
  })
  return {
    signal(name) {
      // A task that is asked to end may leave what it has, as long as it has the time.
      if (name === 'SIGKILL') stop.abort(new Error('the task was stopped'))
      execution.signal(name)
    },
    pause: (paused) => execution.pause(paused),
    workspace: execution.workspace,
  }
}

/** Where a task that has ended left its files, who is told of them, and who may break off. */
interface Leaving {
  readonly files: TaskFiles | undefined
  readonly note: (sentence: string) => void
  readonly signal: AbortSignal
}

async function keepLeft(
  tools: FilesTools,
  assign: Assign,
  end: ProcessEnd,
  { files, note, signal }: Leaving,
): Promise<ProcessEnd> {
  const neverRan = end.kind === 'not_started' || end.kind === 'not_begun'
  if (files === undefined || neverRan || signal.aborted) return end
  const succeeded = end.kind === 'exited' && end.exitCode === 0
  const taken = await files.takeOver().catch((error: unknown) => String(error))
  const place = { directory: files.directory, owner: files.owner, signal, note }
  const problem = taken ?? (await keepFiles(tools, assign, { ...files.fetched, succeeded }, place))
  if (problem === undefined || signal.aborted) return end
  if (succeeded) return { kind: 'failed', reason: problem }
  note(problem)
  return end
}
