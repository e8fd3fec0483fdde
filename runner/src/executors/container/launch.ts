import type { ContainerSpec, Engine } from './engine/engine.ts'
import { EngineError } from './engine/errors.ts'

/** A container could not be made or started; the message is one whole sentence, or two. */
export class LaunchError extends Error {}

// An init process reaps what the script leaves behind and hands on signals. Podman needs the package catatonit for it.
const withoutInit = new WeakSet<Engine>()

/** Whether the task's own process is not the first of its container. */
export const hasInit = (engine: Engine): boolean => !withoutInit.has(engine)

const lacksInit = (reason: string): boolean =>
  /init/.test(reason) && /not found|no such file|stat |cannot find/i.test(reason)

const adviceOn = (reason: string): string => {
  if (/exec: "?sh"?|stat sh:|"sh"/.test(reason)) return ' The image has no shell (sh), and a task is a shell script.'
  if (/netavark|cni|network|bridge|iptables|nftables|slirp|pasta/i.test(reason)) {
    return ' Where the engine cannot connect containers, the runner can give tasks another network: --container-network host, none, or the name of one.'
  }
  return ''
}

/**
 * Makes and starts a container. `created` is told its id in between, the moment to listen to it. Throws a `LaunchError`
 * when the engine refuses, an `EngineError` when it does not answer or the signal says stop.
 */
export const launch = async (
  engine: Engine,
  what: string,
  makeSpec: (init: boolean) => ContainerSpec,
  created: (id: string) => Promise<void>,
  signal: AbortSignal,
): Promise<void> => {
  const init = hasInit(engine)
  try {
    const id = await engine.createContainer(makeSpec(init), signal)
    await created(id)
    await engine.startContainer(id, signal)
  } catch (error) {
    if (!(error instanceof EngineError) || error.failure.kind !== 'refused') throw error
    const reason = error.message
    if (init && lacksInit(reason)) {
      withoutInit.add(engine)
      await launch(engine, what, makeSpec, created, signal)
      return
    }
    throw new LaunchError(`${what} could not be started: ${reason}.${adviceOn(reason)}`, { cause: error })
  }
}
