/** Where a stream stands: behind the change of this number, of the changes that one process counted in one epoch. */
export interface Position {
  readonly epoch: string
  readonly number: number
}

export function writePosition({ epoch, number }: Position): string {
  return `${epoch}.${number}`
}

/** Undefined for a text that is no position. */
export function readPosition(text: string): Position | undefined {
  const [, epoch, number] = /^([0-9a-f-]{1,40})\.([0-9]{1,15})$/.exec(text) ?? []
  return epoch === undefined || number === undefined ? undefined : { epoch, number: Number(number) }
}
