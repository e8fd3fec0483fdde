import { NO_SHELL } from './describe-end.ts'
import type { ContainerSpec, Engine } from './engine/engine.ts'
import { isRefusal } from './engine/errors.ts'

/** A container could not be made or started; the message is one whole sentence, or two. */
export class LaunchError extends Error {}

// An init process reaps what the script leaves behind and hands on signals. Podman needs the package catatonit for it.
const withoutInit = new WeakSet<Engine>()

/** Whether the task's own process is not the first of its container. */
export function hasInit(engine: Engine): boolean {
  return !withoutInit.has(engine)
}

function lacksInit(reason: string): boolean {
  return /init/.test(reason) && /not found|no such file|stat |cannot find/i.test(reason)
}

/** Advice where a network cannot be made or joined, as a sentence after a space. */
export function networkAdvice(reason: string): string {
  return /address pool|free subnet|fully subnetted|non-overlapping/i.test(reason)
    ? " The engine has no address range left, and each task takes one. Lower the runner's --capacity, remove unused networks, or give the engine more ranges (default-address-pools of Docker, default_subnet_pools of Podman)."
    : ' Where the engine cannot connect containers, the runner can give tasks another network: --container-network none, the name of a network, or host. With host, tasks reach everything on the machine.'
}

function adviceOn(reason: string): string {
  if (/exec: "?sh"?|stat sh:|"sh"/.test(reason)) return ` ${NO_SHELL}`
  if (/netavark|cni|network|bridge|iptables|nftables|slirp|pasta/i.test(reason)) return networkAdvice(reason)
  if (/unable to find user|no matching entries in passwd|no users found/i.test(reason)) {
    return ' The image has no user of that name: name one of its /etc/passwd, or a number.'
  }
  return ''
}

/** `stop`: nothing new is begun. `patience`: nor is anything waited for that was. */
export interface LaunchSignals {
  stop: AbortSignal
  patience: AbortSignal
}

export interface NewContainer {
  /** The container's name in a sentence: `The service db`. */
  readonly what: string
  readonly makeSpec: (init: boolean) => ContainerSpec
}

/**
 * Makes and starts a container. `created` is told its id in between, the moment to listen to it. A start is not broken
 * off when somebody says stop: what runs by then is to be asked to end, as everything that runs. Throws a `LaunchError`
 * when the engine refuses, an `EngineError` when it does not answer or a signal said stop.
 */
export async function launch(
  engine: Engine,
  container: NewContainer,
  created: (id: string) => Promise<void>,
  signals: LaunchSignals,
): Promise<void> {
  const { what, makeSpec } = container
  const init = hasInit(engine)
  try {
    const id = await engine.createContainer(makeSpec(init), signals.stop)
    await created(id)
    signals.stop.throwIfAborted()
    await engine.startContainer(id, signals.patience)
  } catch (error) {
    if (!isRefusal(error)) throw error
    const reason = error.message
    if (init && lacksInit(reason)) {
      withoutInit.add(engine)
      await launch(engine, container, created, signals)
      return
    }
    throw new LaunchError(`${what} could not be started: ${reason}.${adviceOn(reason)}`, { cause: error })
  }
}
