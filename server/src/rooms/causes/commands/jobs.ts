import type { JobDefinition } from '#platform/jobs'
import { carryOut } from './actions/carry-out.ts'
import { ANSWER_FLOOD_JOB, CARRY_OUT_JOB, type FloodAnswer } from './actions/command-jobs.ts'
import { answerFlood, tellAnswer } from './actions/tell-answer.ts'
import type { Means } from './means.ts'
import { PERSON_LIMIT } from './rules/index.ts'
import * as store from './store/index.ts'

const DAY_MS = 86_400_000
const BATCH = 1000
/** Longer than a command and its answer are tried. */
const LATE_MS = 45 * 60_000
/** A slow provider delays no other job, and none is flooded. */
const COMMANDS_AT_A_TIME = 4

export function commandJobs(means: Means): JobDefinition[] {
  return [
    {
      name: CARRY_OUT_JOB,
      apart: COMMANDS_AT_A_TIME,
      async run(payload, signal) {
        const id = textOf(payload, 'id')
        if (id === undefined) return
        const waiting = await store.findCommand(means.database.kysely, id)
        if (waiting?.state === 'waiting') await carryOut(means, waiting, signal)
        const decided = await store.findCommand(means.database.kysely, id)
        if (decided && decided.state !== 'waiting') await tellAnswer(means, decided)
      },
    },
    {
      name: ANSWER_FLOOD_JOB,
      apart: 1,
      async run(payload) {
        const answer = readFlood(payload)
        if (answer) await answerFlood(means, answer)
      },
    },
    {
      name: 'commands.pick-up',
      cron: '*/10 * * * *',
      // Those whose job was given up: by now they fail, or their answer does.
      async run() {
        const db = means.database.kysely
        const now = means.clock.now().getTime()
        const ids = await store.listUntold(db, new Date(now - DAY_MS), new Date(now - LATE_MS), BATCH)
        for (const id of ids) await means.jobs.add(db, CARRY_OUT_JOB, { id }, { key: id })
      },
    },
    {
      name: 'commands.drop-old',
      cron: '37 * * * *',
      async run(_payload, signal) {
        const db = means.database.kysely
        const now = means.clock.now().getTime()
        await store.dropCounts(db, new Date(now - 2 * PERSON_LIMIT.windowMs))
        const before = new Date(now - means.config.deliveryRecordRetentionDays * DAY_MS)
        while (!signal.aborted && (await store.dropCommands(db, before, BATCH)) === BATCH);
      },
    },
  ]
}

function textOf(payload: unknown, key: string): string | undefined {
  if (typeof payload !== 'object' || payload === null) return undefined
  const value: unknown = Object.entries(payload).find(([name]) => name === key)?.[1]
  return typeof value === 'string' ? value : undefined
}

function readFlood(payload: unknown): FloodAnswer | undefined {
  if (typeof payload !== 'object' || payload === null || !('number' in payload)) return undefined
  const [sourceId, repository, commentId] = ['sourceId', 'repository', 'commentId'].map((key) => textOf(payload, key))
  const { number } = payload
  if (sourceId === undefined || repository === undefined || commentId === undefined) return undefined
  return typeof number === 'number' ? { sourceId, repository, commentId, number } : undefined
}
