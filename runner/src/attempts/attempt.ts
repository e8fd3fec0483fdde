import { join } from 'node:path'
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { Assign, RunnerMessageSchema } from '@signalbox/contracts/runner'
import { Result } from '@signalbox/contracts/runner'
import { describeError } from '../errors.ts'
import type { Execution, Executor, ImageInUse } from '../executors/executor.ts'
import type { Log } from '../log.ts'
import type { LogLimits } from '../logs/attempt-log.ts'
import { AttemptLog } from '../logs/attempt-log.ts'
import { LogBuffer } from '../logs/log-buffer.ts'
import { MaskedValues } from '../masking/masker.ts'
import type { ProcessEnd } from '../processes/running-process.ts'
import { CountDown } from '../time/count-down.ts'
import type { Time, Timer } from '../time/index.ts'
import type { AttemptEvent, AttemptState, Stop } from './attempt-state.ts'
import { NEW_ATTEMPT, transition, verdict } from './attempt-state.ts'
import { readOutputs, sensitiveValues } from './outputs.ts'

export type OutgoingMessage = NonNullable<MessageInitShape<typeof RunnerMessageSchema>['kind']>
type Report = Extract<OutgoingMessage, { case: 'finished' }>

export interface AttemptNeeds {
  time: Time
  log: Log
  executor: Executor
  /** Folder for log lines beyond `logMemory` bytes. */
  spillFolder: string
  logMemory: number
  logLimits: LogLimits
  defaultGraceSeconds: number
  /** The attempt has something to send. */
  wake: () => void
  /** Nothing of the attempt is left. */
  gone: (fence: bigint) => void
}

function isGone({ phase }: AttemptState): boolean {
  return phase === 'gone'
}

/** One attempt in hand: runs its task, and keeps its messages until they are acknowledged. */
export class Attempt {
  readonly fence: bigint
  readonly #assign: Assign
  readonly #needs: AttemptNeeds
  readonly #values: MaskedValues
  readonly #buffer: LogBuffer
  readonly #log: AttemptLog
  #state: AttemptState = NEW_ATTEMPT
  #execution: Execution | undefined
  #startedAtMs: number | undefined
  #startedSent = false
  #images: readonly ImageInUse[] = []
  /** The reason for which the attempt waits; empty: the wait is over. */
  #wait: string | undefined
  #waitSent: string | undefined
  #report: Report | undefined
  #reportSent = false
  #finishAcknowledged = false
  #timeout: CountDown | undefined
  #grace: Timer | undefined
  #end: ProcessEnd | undefined
  #outputStamp = ''

  constructor(assign: Assign, needs: AttemptNeeds) {
    this.fence = assign.fence
    this.#assign = assign
    this.#needs = needs
    const logins = assign.container?.registryLogins ?? []
    const passwords = [assign.checkout?.password ?? '', ...logins.map(({ password }) => password)]
    this.#values = new MaskedValues([...assign.maskedValues, ...passwords.filter((password) => password !== '')])
    this.#buffer = new LogBuffer(join(needs.spillFolder, String(assign.fence)), needs.logMemory)
    this.#log = new AttemptLog({
      time: needs.time,
      values: this.#values,
      buffer: this.#buffer,
      limits: needs.logLimits,
      beforeBatch: () => this.#learnSensitiveOutputs(),
      appended: needs.wake,
      congested: (congested) => this.#execution?.pause(congested),
    })
  }

  begin(): void {
    const { time, executor } = this.#needs
    const { shortened } = this.#values.patterns
    if (shortened > 0) {
      const what = shortened === 1 ? 'One masked value is' : `${shortened} masked values are`
      this.#log.system(`${what} long: only the usual forms are masked (docs/logs.md), not the rare ones.`)
    }
    const { timeoutSeconds } = this.#assign
    if (timeoutSeconds > 0) {
      const reason = `The task took longer than its timeout of ${timeoutSeconds} s.`
      this.#timeout = new CountDown(time, timeoutSeconds * 1000, () => this.stop({ why: 'timed_out', reason }))
    }
    this.#execution = executor.start(this.#assign, {
      images: (images) => {
        this.#images = images
      },
      started: (atMs) => {
        this.#startedAtMs = atMs
        this.#apply({ kind: 'started' })
        this.#needs.wake()
      },
      output: (stream, bytes) => this.#log.write(stream, bytes),
      note: (sentence) => this.#log.system(sentence),
      waits: (reason) => {
        if (reason !== undefined) this.#timeout?.pause()
        else if (this.#state.phase === 'preparing') this.#timeout?.resume()
        if (reason === this.#wait) return
        this.#wait = reason ?? ''
        this.#needs.wake()
      },
      exceeded: (reason) => this.#exceed(reason),
      ended: (end) => {
        this.#end = end
        this.#apply({ kind: 'ended' })
      },
    })
  }

  /** Ends the task before its time; without effect once it has ended. */
  stop(stop: Stop): void {
    this.#apply({ kind: 'stop', stop })
  }

  /** The lease is lost: nothing of this attempt counts any more. */
  lose(): void {
    this.#apply({ kind: 'lost' })
  }

  /** The lease is over, as far as this runner knows. Returns whether a task was killed that another may have by now. */
  endWithLease(): boolean {
    if (!this.#assign.stopWhenLeaseEnds || this.#state.phase === 'gone') return false
    this.#apply({ kind: 'lease_over' })
    return isGone(this.#state)
  }

  acknowledgeLines(nextLine: number): void {
    this.#buffer.acknowledge(nextLine)
    this.#log.resume()
    if (this.#finishAcknowledged) this.acknowledgeFinish()
  }

  /** The result is stored; the attempt stays in hand until its last line is stored too. */
  acknowledgeFinish(): void {
    this.#finishAcknowledged = true
    if (this.#buffer.unacknowledged === 0) this.#apply({ kind: 'acknowledged' })
  }

  /** Everything from `nextLine` on is sent again, on a new stream. */
  rewind(nextLine: number): void {
    this.#buffer.rewind(nextLine)
    this.#startedSent = false
    this.#waitSent = undefined
    this.#reportSent = false
    this.#log.resume()
  }

  /** The next message to send, in the order that the protocol asks for. */
  nextMessage(): OutgoingMessage | undefined {
    const { fence } = this
    if (this.#state.phase === 'gone') return undefined
    if (this.#startedAtMs !== undefined && !this.#startedSent) {
      this.#startedSent = true
      return { case: 'started', value: { fence, startedAtMs: BigInt(this.#startedAtMs), images: [...this.#images] } }
    }
    if (this.#startedAtMs === undefined && this.#wait !== this.#waitSent && this.#wait !== undefined) {
      this.#waitSent = this.#wait
      return { case: 'waiting', value: { fence, reason: this.#wait } }
    }
    const chunk = this.#buffer.next()
    if (chunk !== undefined) {
      const { firstLine, lineCount, linesZstd } = chunk
      return { case: 'log', value: { fence, firstLine: BigInt(firstLine), lineCount, linesZstd } }
    }
    if (this.#report === undefined || this.#reportSent) return undefined
    this.#reportSent = true
    return this.#report
  }

  #apply(event: AttemptEvent): void {
    const { state, effects } = transition(this.#state, event)
    this.#state = state
    for (const effect of effects) {
      switch (effect) {
        case 'terminate':
          this.#terminate()
          break
        case 'collect':
          this.#timeout?.stop()
          this.#grace?.stop()
          this.#collect()
          break
        case 'report':
          this.#needs.wake()
          break
        case 'kill':
          this.#execution?.signal('SIGKILL')
          break
        case 'forget':
          this.#forget()
          break
      }
    }
    // A lost attempt's process has ended now: its workspace can go.
    if (event.kind === 'ended' && state.phase === 'gone') this.#release()
  }

  /** A task that fills the disk is given no time to end by itself. */
  #exceed(reason: string): void {
    this.#log.system(reason)
    this.stop({ why: 'failed', reason })
    this.#execution?.signal('SIGKILL')
  }

  #terminate(): void {
    const { graceSeconds } = this.#assign
    const grace = graceSeconds > 0 ? graceSeconds : this.#needs.defaultGraceSeconds
    this.#execution?.signal('SIGTERM')
    this.#grace = this.#needs.time.after(grace * 1000, () => this.#execution?.signal('SIGKILL'))
  }

  #collect(): void {
    const { stop } = this.#state
    const end = this.#end ?? { kind: 'not_started', reason: 'The task ended without a process.' }
    const finishedAtMs = BigInt(this.#needs.time.now())
    const { exitCode, notBegun = false, ...judged } = verdict(stop, end)
    let { result, reason } = judged
    const { outputs, notes, problem } = this.#readOutputs()
    for (const note of notes) this.#log.system(note)
    if (problem !== undefined) {
      this.#log.system(problem)
      if (result === Result.SUCCESS) {
        result = Result.FAILURE
        reason = problem
      }
    }
    if ('reason' in end && end.kind !== 'exited' && stop === undefined) this.#log.system(end.reason)
    this.#log.end(() => {
      this.#report = {
        case: 'finished',
        value: {
          fence: this.fence,
          result,
          ...(exitCode === undefined ? {} : { exitCode }),
          reason: this.#values.mask(reason),
          lineCount: BigInt(this.#log.lineCount),
          outputs: [...outputs],
          finishedAtMs,
          notBegun,
        },
      }
      this.#apply({ kind: 'collected' })
      this.#release()
    })
  }

  #readOutputs() {
    const { outputs: declarations } = this.#assign
    if (declarations.length === 0 || this.#execution === undefined)
      return { outputs: [], notes: [], problem: undefined }
    this.#learnSensitiveOutputs()
    return readOutputs(this.#execution.workspace.readOutputs(), declarations, this.#values)
  }

  #learnSensitiveOutputs(): void {
    const { outputs: declarations } = this.#assign
    if (this.#execution === undefined || !declarations.some((each) => each.sensitive)) return
    const stamp = this.#execution.workspace.outputStamp()
    if (stamp === this.#outputStamp) return
    this.#outputStamp = stamp
    this.#values.add(sensitiveValues(this.#execution.workspace.readOutputs(), declarations))
  }

  #release(): void {
    this.#execution?.workspace.release().catch((error: unknown) => {
      this.#needs.log.warn('a workspace could not be removed', { fence: this.fence, reason: describeError(error) })
    })
  }

  #forget(): void {
    this.#timeout?.stop()
    this.#grace?.stop()
    this.#log.close()
    this.#buffer[Symbol.dispose]()
    // The process of a lost attempt may still have to end; its workspace goes then.
    if (this.#end !== undefined) this.#release()
    this.#needs.gone(this.fence)
  }
}
