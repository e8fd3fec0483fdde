import type { Schedule } from '../store/schedules.ts'

/** Repositories that are asked at a time: each may take a minute. */
const AT_A_TIME = 8
/** One that hangs must not keep the others waiting. */
const OF_ONE_REPOSITORY = 2

export interface LookUps {
  /** Begins with those for which there is room, in their order. */
  begin(due: readonly Schedule[]): void
  /** Ids of the schedules that are in hand. */
  inHand(): readonly string[]
  hasRoom(): boolean
  /** Calls back each time that there is room again. */
  onRoom(callback: () => void): void
  /** Resolves when none is in hand. */
  settle(): Promise<void>
}

/** Schedules whose repositories are being asked. `work` never throws. */
export function createLookUps(work: (schedule: Schedule) => Promise<void>): LookUps {
  const inHand = new Map<string, { readonly repository: string; readonly done: Promise<void> }>()
  const callbacks: (() => void)[] = []

  function ofRepository(name: string): number {
    return [...inHand.values()].filter(({ repository }) => repository === name).length
  }

  function begin(schedule: Schedule, repository: string): void {
    const done = work(schedule).finally(() => {
      inHand.delete(schedule.id)
      for (const callback of callbacks) callback()
    })
    inHand.set(schedule.id, { repository, done })
  }

  return {
    begin(due) {
      for (const schedule of due) {
        if (inHand.size >= AT_A_TIME) return
        const repository = schedule.repository?.toLowerCase() ?? ''
        if (!inHand.has(schedule.id) && ofRepository(repository) < OF_ONE_REPOSITORY) begin(schedule, repository)
      }
    },
    inHand: () => [...inHand.keys()],
    hasRoom: () => inHand.size < AT_A_TIME,
    onRoom: (callback) => void callbacks.push(callback),
    async settle() {
      while (inHand.size > 0) await Promise.all([...inHand.values()].map(({ done }) => done))
    },
  }
}
