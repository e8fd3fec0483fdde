/** The invariants that hold under every fault, in the words of docs/operations/chaos.md. */
export const INVARIANTS = {
  I1: 'what was taken (202) is stored, and its runs with it',
  I2: 'a delivery starts a trigger’s run once, however often it is sent',
  I3: 'an attempt has one result, and no two attempts of a task work at the same time',
  I4: 'only legal changes of status; what is over never changes',
  I5: 'no run stands still without an owner, a timer or a stated reason',
  I6: 'stored lines are complete, in order, each once, and show no secret',
  I7: 'nobody gets through who may not',
  I8: 'memory, files and connections are back within their bounds',
} as const

export type Invariant = keyof typeof INVARIANTS

export interface Violation {
  readonly invariant: Invariant
  /** One sentence. */
  readonly what: string
  /** The ids of runs, attempts, deliveries or processes. */
  readonly ids: readonly string[]
}
