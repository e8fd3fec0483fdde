/**
 * Reads what a command needs out of an answer and no more, so that a newer control plane that says more is understood.
 * Small on purpose: a schema library would triple the time that a command takes to start.
 */
export type Shape<T> = (value: unknown, at: string) => T

/** The answer is not what this version of the command understands. */
export class AnswerNotUnderstood extends Error {
  override readonly name = 'AnswerNotUnderstood'

  constructor(at: string, expected: string) {
    super(`The control plane answered something that this command does not understand: ${at} is not ${expected}.`)
  }
}

export const text: Shape<string> = (value, at) => {
  if (typeof value === 'string') return value
  throw new AnswerNotUnderstood(at, 'text')
}

export const number: Shape<number> = (value, at) => {
  if (typeof value === 'number') return value
  throw new AnswerNotUnderstood(at, 'a number')
}

export const flag: Shape<boolean> = (value, at) => {
  if (typeof value === 'boolean') return value
  throw new AnswerNotUnderstood(at, 'true or false')
}

export const anything: Shape<unknown> = (value) => value

/** Null where the answer holds null or leaves the field out. */
export function orNull<T>(shape: Shape<T>): Shape<T | null> {
  return (value, at) => (value === undefined || value === null ? null : shape(value, at))
}

export function list<T>(shape: Shape<T>): Shape<T[]> {
  return (value, at) => {
    if (!Array.isArray(value)) throw new AnswerNotUnderstood(at, 'a list')
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
    if (!isObject(value)) throw new AnswerNotUnderstood(at, 'an object')
    const read: Record<string, unknown> = {}
    for (const [name, shape] of shapes) read[name] = shape(value[name], `${at}.${name}`)
    return read
  }
}

/**
 * The shape, held against the one in contracts by the compiler: a field that is renamed there is an error here, which
 * asks for a second argument that nobody has.
 */
export function partOf<Wire>() {
  return <T>(
    shape: Shape<T>,
    ..._held: Required<Wire> extends T ? [] : ['no part of the shape in contracts']
  ): Shape<T> => shape
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
