import type { Time } from '../../time/index.ts'
import type { Credentials, Engine, ImageFacts } from './engine/engine.ts'
import { EngineError } from './engine/errors.ts'
import { textAt } from './engine/read.ts'

export type ImageTools = { engine: Engine; time: Time; note(sentence: string): void; signal: AbortSignal }

const progressMs = 10_000

/** The registry of an image by its name, as Docker reads it. */
export const registryOf = (image: string): string => {
  const slash = image.indexOf('/')
  const first = image.slice(0, Math.max(0, slash))
  return first.includes('.') || first.includes(':') || first === 'localhost' ? first : 'docker.io'
}

const adviceOn = (reason: string, registry: string, credentials: Credentials | undefined): string => {
  if (registry === 'localhost') return 'Make the image on the machine of this runner, or name one of a registry.'
  if (/unauthori[sz]ed|denied|authentication|forbidden/i.test(reason)) {
    return credentials === undefined
      ? 'Check its name, or give the task a registry_credential that may read it.'
      : 'Check its name, and whether the registry_credential of the task may read it.'
  }
  if (/manifest|not found|no such image|name unknown/i.test(reason)) return 'Check its name and its tag.'
  return `Check whether the container engine of this runner can reach ${registry}.`
}

/**
 * Sees to it that an image is here: one that is, is used as it is. Returns what is known of it, or a sentence. Throws
 * an `EngineError` when the engine does not answer or the signal says stop.
 */
export const ensureImage = async (
  { engine, time, note, signal }: ImageTools,
  image: string,
  credentials: Credentials | undefined,
): Promise<ImageFacts | { problem: string }> => {
  const present = await engine.findImage(image, signal)
  if (present !== undefined) return present
  const registry = registryOf(image)
  const problem = (reason: string) => ({
    problem: `The image ${image} could not be pulled from ${registry}: ${reason}. ${adviceOn(reason, registry, credentials)}`,
  })
  note(`Pulling ${image} from ${registry}.`)
  const layers = new Layers()
  const startedAt = time.monotonic()
  let toldAt = startedAt
  try {
    const progress = (message: unknown): void => {
      layers.learn(message)
      if (time.monotonic() - toldAt < progressMs || layers.count === 0) return
      toldAt = time.monotonic()
      note(`Pulling ${image}: ${layers.done} of ${layers.count} layers are here.`)
    }
    await engine.pullImage(image, credentials, progress, signal)
  } catch (error) {
    if (error instanceof EngineError && error.failure.kind === 'refused') return problem(error.message)
    throw error
  }
  const pulled = await engine.findImage(image, signal)
  if (pulled === undefined) return problem('the engine says it has it, and does not')
  note(`Pulled ${image} (${pulled.id}) in ${Math.ceil((time.monotonic() - startedAt) / 1000)} s.`)
  return pulled
}

class Layers {
  readonly #states = new Map<string, string>()

  get count(): number {
    return this.#states.size
  }

  get done(): number {
    return [...this.#states.values()].filter((state) => /complete|exists|pulled/i.test(state)).length
  }

  learn(message: unknown): void {
    const id = textAt(message, 'id')
    const status = textAt(message, 'status')
    if (id !== undefined && status !== undefined && !/^pulling from/i.test(status)) this.#states.set(id, status)
  }
}
