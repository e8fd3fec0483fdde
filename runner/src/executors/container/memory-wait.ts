import type { Timer } from '../../time/index.ts'
import type { ExecutionListener } from '../executor.ts'
import type { ContainerTools } from './container-tools.ts'

/** Takes memory for a task with its services. Answers a sentence where there was none within the time, or `signal` says stop. */
export async function takeMemory(
  { memory, memoryPatienceMs, time }: ContainerTools,
  needMb: number,
  listener: ExecutionListener,
  signal: AbortSignal,
): Promise<Disposable | string> {
  const late = new AbortController()
  const seconds = memoryPatienceMs / 1000
  let timer: Timer | undefined
  const reserved = await memory.take(needMb, AbortSignal.any([signal, late.signal]), () => {
    const reason = `The task and its services need ${needMb} MB of memory; they wait until other tasks of this runner have ended, ${seconds} s at most.`
    listener.note(reason)
    listener.waits(reason)
    timer = time.after(memoryPatienceMs, () => late.abort())
  })
  timer?.stop()
  listener.waits(undefined)
  return (
    reserved ??
    `The task and its services need ${needMb} MB of memory. Other tasks of this runner had that memory for ${seconds} s; the task had not begun.`
  )
}
