import type { RegistryLogin } from '@signalbox/contracts/runner'
import type { ImageReference } from '@signalbox/pipeline/images'
import { formatImageReference, parseImageReference, THIS_MACHINE } from '@signalbox/pipeline/images'
import { describeError } from '../../errors.ts'
import type { Time } from '../../time/index.ts'
import type { Credentials, Engine, ImageFacts } from './engine/engine.ts'
import { isRefusal } from './engine/errors.ts'
import { textAt } from './engine/read.ts'
import { carriesName, digestOf, isOfThisMachine, isPinned } from './image-names.ts'
import type { ImageRules } from './image-rules.ts'
import { choosePolicy, refusal } from './image-rules.ts'
import type { KnownImages } from './known-images.ts'

export interface ImageTools {
  engine: Engine
  time: Time
  known: KnownImages
  rules: ImageRules
  /** The run that wants the image. */
  runId: string
  /** The task's passwords for registries; each is told to its own registry only. */
  logins: readonly RegistryLogin[]
  /** The policy that the task wants; empty: the runner's own. */
  pullPolicy: string
  note(sentence: string): void
  signal: AbortSignal
}

/** An image that the task may have, and by what digest it is that one for ever. */
export type UsableImage = ImageFacts & { readonly digest: string }

const PROGRESS_MS = 10_000
// A registry that says nothing for so long is not waited for where the image is here.
const SILENCE_MS = 30_000

type Refusal = 'denied' | 'unknown' | 'away'

/** Engines hand on the registry's words, each in its own way. An answer that is not clear counts as none. */
export function readRefusal(reason: string): Refusal {
  if (/unauthori[sz]ed|denied|authentication|authori[sz]ation|no basic auth|forbidden|\b40[13]\b/i.test(reason))
    return 'denied'
  if (/manifest (unknown|invalid)|no matching manifest|not found|no such image|name unknown|\b404\b/i.test(reason)) {
    return 'unknown'
  }
  return 'away'
}

function adviceOn(reason: string, registry: string, credentials: Credentials | undefined): string {
  switch (readRefusal(reason)) {
    case 'denied':
      return credentials === undefined
        ? `Check its name, or give the task a registry_credential for ${registry} that may read it.`
        : `Check its name, and whether the registry_credential of the task for ${registry} may read it.`
    case 'unknown':
      return 'Check its name and its tag.'
    case 'away':
      return `Check whether the container engine of this runner can reach ${registry}.`
  }
}

/** An image that a task wants, as everything about it is asked. */
interface Wanted {
  /** As the task names it, for sentences. */
  readonly text: string
  readonly reference: ImageReference
  /** In full, for the engine: it would give short names a meaning of its own, such as that of an id. */
  readonly name: string
  readonly credentials: Credentials | undefined
}

/**
 * Makes sure that an image is here and that the task may have it. An image that is here for another task may have taken
 * a password, and a tag may have moved. So the registry is asked once in a run, with the task's own credentials. Three
 * cases need no registry: an image made on this machine, a name with a digest whose image took no password, and a pull
 * policy that forbids it. Returns the facts of the image, or a sentence. Throws an `EngineError` when the engine does
 * not answer or the signal says stop.
 */
export async function ensureImage(tools: ImageTools, text: string): Promise<UsableImage | { problem: string }> {
  const reference = parseImageReference(text)
  if ('problem' in reference) return { problem: `The image ${JSON.stringify(text)} ${reference.problem}.` }
  const refused = refusal(tools.rules, text, reference)
  if (refused !== undefined) return { problem: refused }
  // Only this registry is told its password.
  const login = tools.logins.find(({ registry }) => registry === reference.registry)
  const credentials = login && { username: login.username, password: login.password }
  const wanted = { text, reference, name: formatImageReference(reference), credentials }
  const image = await obtain(tools, wanted)
  return 'problem' in image ? image : { ...image, digest: digestOf(reference, image) }
}

async function obtain(tools: ImageTools, wanted: Wanted): Promise<ImageFacts | { problem: string }> {
  const { engine, known, runId } = tools
  const { text, reference, credentials } = wanted
  const policy = choosePolicy(tools.rules, tools.pullPolicy)
  if (typeof policy !== 'string') return policy
  const present = await find(tools, wanted)
  if (present === undefined && reference.registry === THIS_MACHINE) return { problem: howToMake(engine, wanted) }
  const request = { runId, image: wanted.name, credentials }
  if (present !== undefined) {
    if (isOfThisMachine(reference, present) || known.isGranted(request, present.id)) return present
    if (isPinned(reference) && known.isOpen(present.id)) return present
    if (policy !== 'always' && (known.isOpen(present.id) || known.wasGranted(request, present.id))) return present
  }
  if (policy === 'never') {
    const why = present === undefined ? 'is not on the machine of this runner' : onlyForOthers(reference.registry)
    return { problem: `The image ${text} ${why}, and its pull_policy is never.` }
  }
  return await ask(tools, wanted, present)
}

/** The image that the engine has by this very name. */
async function find({ engine, signal }: ImageTools, { name, reference }: Wanted): Promise<ImageFacts | undefined> {
  const found = await engine.findImage(name, signal)
  return found !== undefined && carriesName(reference, found) ? found : undefined
}

function onlyForOthers(registry: string): string {
  return `is here, but only for tasks that may have it from ${registry} (a local image needs a name that begins with localhost/)`
}

function howToMake({ facts }: Engine, { text, name }: Wanted): string {
  const build = `${facts.name.toLowerCase()} build --tag ${name.replace(/@.*$/, '')} .`
  return `The image ${text} is not on the machine of this runner. No registry is asked for a name that begins with localhost/: make the image there (${build}), or name one of a registry.`
}

/** Asks the registry, and goes on with the local image where that does no harm. */
async function ask(
  tools: ImageTools,
  wanted: Wanted,
  present: ImageFacts | undefined,
): Promise<ImageFacts | { problem: string }> {
  const { known, note, runId } = tools
  const { text, name, credentials } = wanted
  const { registry } = wanted.reference
  const pulled = await pull(tools, wanted, present)
  if ('id' in pulled) {
    if (credentials === undefined) known.opened(pulled.id)
    known.granted({ runId, image: name, credentials }, pulled.id)
    return pulled
  }
  const { reason } = pulled
  const answer = readRefusal(reason)
  if (present !== undefined && answer === 'away' && known.isOpen(present.id)) {
    note(
      `${registry} cannot be asked for ${text} (${reason}): the image that is here is used, which may be an older one.`,
    )
    return present
  }
  if (present !== undefined && answer === 'denied' && credentials === undefined) known.closed(present.id)
  const here = present === undefined ? '' : ` It ${onlyForOthers(registry)}.`
  const advice = adviceOn(reason, registry, credentials)
  return { problem: `The image ${text} could not be pulled from ${registry}: ${reason}. ${advice}${here}` }
}

/**
 * The image as the registry has it, or the reason why not. Where `present` is here, the log says less and the wait is
 * shorter.
 */
async function pull(
  tools: ImageTools,
  wanted: Wanted,
  present: ImageFacts | undefined,
): Promise<ImageFacts | { reason: string }> {
  const { engine, time, note, signal } = tools
  const { text, name, reference, credentials } = wanted
  if (present === undefined) note(`Pulling ${text} from ${reference.registry}.`)
  const layers = new Layers()
  const startedAt = time.monotonic()
  let toldAt = startedAt
  const silence = new AbortController()
  const listen = () => (present === undefined ? undefined : time.after(SILENCE_MS, () => silence.abort()))
  let timer = listen()
  const progress = (message: unknown): void => {
    timer?.stop()
    timer = listen()
    layers.learn(message)
    if (time.monotonic() - toldAt < PROGRESS_MS || layers.count === 0) return
    toldAt = time.monotonic()
    note(`Pulling ${text}: ${layers.done} of ${layers.count} layers are here.`)
  }
  try {
    await engine.pullImage(name, credentials, progress, AbortSignal.any([signal, silence.signal]))
  } catch (error) {
    if (silence.signal.aborted && !signal.aborted) return { reason: `no answer within ${SILENCE_MS / 1000} s` }
    if (isRefusal(error)) return { reason: describeError(error) }
    throw error
  } finally {
    timer?.stop()
  }
  const pulled = await find(tools, wanted)
  if (pulled === undefined) return { reason: 'the engine says it has it, and does not' }
  if (pulled.id !== present?.id) {
    note(`Pulled ${text} (${pulled.id}) in ${Math.ceil((time.monotonic() - startedAt) / 1000)} s.`)
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
