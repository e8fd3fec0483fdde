import { describeError } from '../../errors.ts'
import type { Time } from '../../time/index.ts'
import type { Credentials, Engine, ImageFacts } from './engine/engine.ts'
import { EngineError } from './engine/errors.ts'
import { textAt } from './engine/read.ts'
import { isOfThisMachine, isPinned, registryOf } from './image-names.ts'
import type { KnownImages } from './known-images.ts'

export type ImageTools = {
  engine: Engine
  time: Time
  known: KnownImages
  /** For which images are looked for. */
  runId: string
  note(sentence: string): void
  signal: AbortSignal
}

const progressMs = 10_000
// A registry that says nothing for so long is not waited for where the image is here.
const silenceMs = 30_000

type Refusal = 'denied' | 'unknown' | 'away'

/** Engines hand on the registry's words, each in its own way. What is no clear answer is none. */
export const readRefusal = (reason: string): Refusal => {
  if (/unauthori[sz]ed|denied|authentication|authori[sz]ation|no basic auth|forbidden|\b40[13]\b/i.test(reason))
    return 'denied'
  if (/manifest (unknown|invalid)|no matching manifest|not found|no such image|name unknown|\b404\b/i.test(reason)) {
    return 'unknown'
  }
  return 'away'
}

const adviceOn = (reason: string, registry: string, credentials: Credentials | undefined): string => {
  if (registry === 'localhost') return 'Make the image on the machine of this runner, or name one of a registry.'
  switch (readRefusal(reason)) {
    case 'denied':
      return credentials === undefined
        ? 'Check its name, or give the task a registry_credential that may read it.'
        : 'Check its name, and whether the registry_credential of the task may read it.'
    case 'unknown':
      return 'Check its name and its tag.'
    case 'away':
      return `Check whether the container engine of this runner can reach ${registry}.`
  }
}

/**
 * Sees to it that an image is here, and that whoever asks may have it: one that is here for somebody else may have taken a
 * password, and a tag may have moved. So the registry is asked, once in a run, with the task's own credentials, unless the
 * image was made on this machine, or is named by its digest and was had without a password. Returns what is known of it, or
 * a sentence. Throws an `EngineError` when the engine does not answer or the signal says stop.
 */
export const ensureImage = async (
  tools: ImageTools,
  image: string,
  credentials: Credentials | undefined,
): Promise<ImageFacts | { problem: string }> => {
  const { engine, known, note, signal, runId } = tools
  const present = await engine.findImage(image, signal)
  const request = { runId, image, credentials }
  if (present !== undefined) {
    if (isOfThisMachine(image, present) || known.isGranted(request, present.id)) return present
    if (isPinned(image) && known.isOpen(present.id)) return present
  }
  const registry = registryOf(image)
  const pulled = await pull(tools, image, credentials, present)
  if ('id' in pulled) {
    if (credentials === undefined) known.opened(pulled.id)
    known.granted(request, pulled.id)
    return pulled
  }
  const { reason } = pulled
  const refusal = readRefusal(reason)
  if (present !== undefined && refusal === 'away' && known.isOpen(present.id)) {
    note(
      `${registry} cannot be asked for ${image} (${reason}): the image that is here is used, which may be an older one.`,
    )
    return present
  }
  if (present !== undefined && refusal === 'denied' && credentials === undefined) known.closed(present.id)
  const here =
    present === undefined
      ? ''
      : ` It is here, but only for those to whom ${registry} gives it; one that was made on the machine of this runner is used when its name begins with localhost/.`
  const advice = adviceOn(reason, registry, credentials)
  return { problem: `The image ${image} could not be pulled from ${registry}: ${reason}. ${advice}${here}` }
}

/** The image as the registry has it, or its reason why not. Little is said, and waited for, where `present` is here. */
const pull = async (
  { engine, time, note, signal }: ImageTools,
  image: string,
  credentials: Credentials | undefined,
  present: ImageFacts | undefined,
): Promise<ImageFacts | { reason: string }> => {
  if (present === undefined) note(`Pulling ${image} from ${registryOf(image)}.`)
  const layers = new Layers()
  const startedAt = time.monotonic()
  let toldAt = startedAt
  const silence = new AbortController()
  const listen = () => (present === undefined ? undefined : time.after(silenceMs, () => silence.abort()))
  let timer = listen()
  const progress = (message: unknown): void => {
    timer?.stop()
    timer = listen()
    layers.learn(message)
    if (time.monotonic() - toldAt < progressMs || layers.count === 0) return
    toldAt = time.monotonic()
    note(`Pulling ${image}: ${layers.done} of ${layers.count} layers are here.`)
  }
  try {
    await engine.pullImage(image, credentials, progress, AbortSignal.any([signal, silence.signal]))
  } catch (error) {
    if (silence.signal.aborted && !signal.aborted) return { reason: `no answer within ${silenceMs / 1000} s` }
    if (error instanceof EngineError && error.failure.kind === 'refused') return { reason: describeError(error) }
    throw error
  } finally {
    timer?.stop()
  }
  const pulled = await engine.findImage(image, signal)
  if (pulled === undefined) return { reason: 'the engine says it has it, and does not' }
  if (pulled.id !== present?.id) {
    note(`Pulled ${image} (${pulled.id}) in ${Math.ceil((time.monotonic() - startedAt) / 1000)} s.`)
  }
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
