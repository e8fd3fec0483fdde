/**
 * Reads a document that no route states: the output of a server program, the address file of an instance, or a problem
 * from a proxy. A schema library would take longer to load than the rest.
 */
export type Shape<T> = (value: unknown, at: string) => T

/** The answer is not what this version of the command understands; `why` is a clause such as `file.pid is not a number`. */
export class AnswerNotUnderstood extends Error {
  override readonly name = 'AnswerNotUnderstood'

  constructor(why: string) {
    super(`The control plane answered something that this command does not understand: ${why}.`)
  }
}

export const text: Shape<string> = (value, at) => {
  if (typeof value === 'string') return value
  throw new AnswerNotUnderstood(`${at} is not a text`)
}

export const number: Shape<number> = (value, at) => {
  if (typeof value === 'number') return value
  throw new AnswerNotUnderstood(`${at} is not a number`)
}

export const flag: Shape<boolean> = (value, at) => {
  if (typeof value === 'boolean') return value
  throw new AnswerNotUnderstood(`${at} is neither true nor false`)
}

export const anything: Shape<unknown> = (value) => value

/** Null where the answer holds null or leaves the field out. */
export function orNull<T>(shape: Shape<T>): Shape<T | null> {
  return (value, at) => (value === undefined || value === null ? null : shape(value, at))
}

export function list<T>(shape: Shape<T>): Shape<T[]> {
  return (value, at) => {
    if (!Array.isArray(value)) throw new AnswerNotUnderstood(`${at} is not a list`)
    return value.map((item: unknown, index) => shape(item, `${at}[${index}]`))
  }
}

export function object<Fields extends Record<string, Shape<unknown>>>(
  fields: Fields,
): Shape<{ readonly [Name in keyof Fields]: ReturnType<Fields[Name]> }>
export function object(fields: Record<string, Shape<unknown>>): Shape<Record<string, unknown>> {
  // Read once: a log has an object for each line.
  const shapes = Object.entries(fields)
  return (value, at) => {
    if (!isObject(value)) throw new AnswerNotUnderstood(`${at} is not an object`)
    const read: Record<string, unknown> = {}
    for (const [name, shape] of shapes) read[name] = shape(value[name], `${at}.${name}`)
    return read
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
