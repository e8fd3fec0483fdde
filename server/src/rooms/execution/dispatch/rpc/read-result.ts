import { type AttemptFinished, type AttemptStarted, Result } from '@signalbox/contracts/runner'
import type { RanImage } from '#rooms/execution/runs'
import type { FinishedAttempt } from '../rules/inbox.ts'

const MAX_REASON = 2000

/** A runner's report, made fit for the tables, which can hold neither U+0000 nor half a surrogate pair. */
export function readFinished(message: AttemptFinished, startedAt: Date | null): FinishedAttempt {
  return {
    result: readResult(message.result),
    exitCode: message.exitCode ?? null,
    reason: storable(message.reason).slice(0, MAX_REASON).toWellFormed(),
    outputs: Object.fromEntries(message.outputs.map(({ name, value }) => [storable(name), storable(value)])),
    sensitive: message.outputs.flatMap(({ name, sensitive }) => (sensitive ? [storable(name)] : [])),
    startedAt,
    notBegun: message.notBegun && message.result === Result.LOST && startedAt === null,
  }
}

/** The reason for which an attempt waits, as its runner reports it. */
export function readWait(sentence: string): string {
  return shorten(sentence)
}

const MAX_IMAGES = 100
const MAX_NAME = 500

/** The images of an attempt's containers, as its runner reports them. */
export function readImages(images: AttemptStarted['images']): readonly RanImage[] {
  return images.slice(0, MAX_IMAGES).map(({ service, image, digest }) => ({
    service: service === '' ? null : shorten(service),
    image: shorten(image),
    digest: shorten(digest),
  }))
}

function shorten(text: string): string {
  return storable(text).slice(0, MAX_NAME).toWellFormed()
}

const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z')

/** A time by a runner's clock, undefined where it is none that PostgreSQL and RFC 3339 can write. */
export function readMoment(milliseconds: bigint): Date | undefined {
  const value = Number(milliseconds)
  return value >= 0 && value <= LAST_MOMENT ? new Date(value) : undefined
}

function readResult(result: Result): FinishedAttempt['result'] {
  switch (result) {
    case Result.SUCCESS:
      return 'success'
    case Result.TIMED_OUT:
      return 'timed_out'
    case Result.CANCELED:
      return 'canceled'
    case Result.LOST:
      return 'lost'
    default:
      return 'failure'
  }
}

function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD')
}
