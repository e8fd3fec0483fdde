/** Carries out one command and answers it. Its payload names the row. */
export const CARRY_OUT_JOB = 'commands.carry-out'
/** Answers the first command above a limit. Its payload is `FloodAnswer`. */
export const ANSWER_FLOOD_JOB = 'commands.answer-flood'

export interface FloodAnswer {
  readonly sourceId: string
  readonly repository: string
  readonly number: number
  readonly commentId: string
}
