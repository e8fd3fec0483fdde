import { create } from '@bufbuild/protobuf'
import { Metadata, type ServerUnaryCall, type sendUnaryData, status } from '@grpc/grpc-js'
import {
  type EnrollRequest,
  type EnrollResponse,
  EnrollResponseSchema,
  type Hello,
  type RunnerMessage,
  runnerGatewayDefinition,
} from '@signalbox/contracts/runner'
import { isUnavailable } from '#platform/database'
import { addressOfPeer, type GrpcService } from '#platform/grpc'
import { Problem } from '#platform/problems'
import type { Enrolled } from '#rooms/catalog/runners'
import { greetRunner } from '../actions/greet-runner.ts'
import type { StreamMeans } from '../means.ts'
import type { RunnerSession, RunnerStream } from '../sessions/runner-session.ts'
import { createReceiver } from './receive.ts'

/** The service RunnerGateway: enrolment, and one stream for each runner. */
export function createGateway(means: StreamMeans): GrpcService {
  return {
    definition: runnerGatewayDefinition,
    implementation: {
      enroll(call: ServerUnaryCall<EnrollRequest, EnrollResponse>, done: sendUnaryData<EnrollResponse>) {
        const { token, name, labels, capacity } = call.request
        const enrolling = means.runners.enroll({
          token,
          name,
          labels,
          capacity,
          address: addressOfPeer(call.getPeer()),
        })
        void answerCall(means, enrolling, done)
      },
      connect(stream: RunnerStream) {
        converse(means, stream)
      },
    },
  }
}

/** A stream must say Hello within this time, because nothing else limits a stream without a credential. */
const HELLO_MS = 10_000
/** A runner waits 10 s for its Welcome: before that it hears why there is none. */
export const GREET_MS = 8000

/**
 * Reads the credential, then Hello, answers Welcome, then handles every message. A message is read only after the one before
 * it is handled.
 */
function converse(means: StreamMeans, stream: RunnerStream): void {
  let session: RunnerSession | undefined
  let receive: ((message: RunnerMessage) => void) | undefined
  let over = false
  const ended = (): void => {
    silent.cancel()
    if (over) return
    over = true
    session?.markEnded()
    if (session) means.gone(session)
  }
  const refuse = (error: unknown): void => {
    if (!over) stream.emit('error', toStatus(means, error))
  }
  const silent = means.clock.after(HELLO_MS, () => {
    refuse(new Refused(status.DEADLINE_EXCEEDED, 'No Hello came.'))
    stream.end()
  })
  stream.on('error', ended)
  stream.on('close', ended)
  stream.on('cancelled', ended)
  stream.on('end', () => {
    ended()
    stream.end()
  })

  const greet = async (hello: Hello): Promise<void> => {
    const header = String(stream.metadata.get('authorization')[0] ?? '')
    const credential = /^Bearer (.+)$/.exec(header)?.[1] ?? ''
    const runner = await means.runners.authenticate(means.database.kysely, credential, addressOfPeer(stream.getPeer()))
    if (!runner) throw new Refused(status.UNAUTHENTICATED, 'The credential of the runner is not valid.')
    const greeted = await greetRunner(means, { runner, stream, hello, isOver: () => over })
    if (!greeted) throw new Refused(status.UNAUTHENTICATED, 'The runner was removed.')
    session = greeted
    receive = createReceiver(means, greeted)
    if (over) means.gone(greeted)
  }

  stream.on('data', (message: RunnerMessage) => {
    if (over) return
    if (receive) {
      receive(message)
      return
    }
    if (message.kind.case !== 'hello') {
      refuse(new Refused(status.FAILED_PRECONDITION, 'The first message of a stream is a Hello.'))
      return
    }
    silent.cancel()
    stream.pause()
    const slow = means.clock.after(GREET_MS, () => refuse(new Refused(status.UNAVAILABLE, NOT_GREETED)))
    greet(message.kind.value)
      .then(() => stream.resume(), refuse)
      .finally(() => slow.cancel())
  })
}

async function answerCall(
  means: StreamMeans,
  enrolling: Promise<Enrolled>,
  done: sendUnaryData<EnrollResponse>,
): Promise<void> {
  try {
    done(null, create(EnrollResponseSchema, await enrolling))
  } catch (error) {
    done(toStatus(means, error))
  }
}

const NOT_GREETED = 'The database does not answer in time, so that the runner cannot be greeted.'

class Refused extends Error {
  override readonly name = 'Refused'
  readonly status: status

  constructor(code: status, details: string) {
    super(details)
    this.status = code
  }
}

function toStatus(means: StreamMeans, error: unknown): { code: status; details: string; metadata?: Metadata } {
  if (error instanceof Refused) return { code: error.status, details: error.message }
  if (error instanceof Problem) {
    const metadata = new Metadata()
    for (const [name, value] of Object.entries(error.headers)) metadata.set(name, value)
    return { code: codeOf(error.status), details: error.message, metadata }
  }
  if (isUnavailable(error)) return { code: status.UNAVAILABLE, details: 'The database cannot be reached right now.' }
  means.log.error({ err: error }, 'a call of a runner failed')
  return { code: status.INTERNAL, details: 'The call failed because of an error on our side.' }
}

function codeOf(httpStatus: number): status {
  switch (httpStatus) {
    case 400:
      return status.INVALID_ARGUMENT
    case 401:
      return status.UNAUTHENTICATED
    case 403:
      return status.PERMISSION_DENIED
    case 404:
      return status.NOT_FOUND
    case 409:
      return status.ALREADY_EXISTS
    case 429:
      return status.RESOURCE_EXHAUSTED
    case 503:
      return status.UNAVAILABLE
    default:
      return status.INTERNAL
  }
}
