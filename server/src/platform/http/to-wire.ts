import { type Snake, toSnake } from '#platform/database'
import { toWireTime } from '#platform/time'

/** A value as it is sent: of an instant, its text. */
type OnWire<Value> = Value extends Date ? string : Value

/** A row as it is sent: `{ teamPath, createdAt }` is `{ team_path, created_at }`. */
export type Wire<Row> = { [Field in keyof Snake<Row>]: OnWire<Snake<Row>[Field]> }

/** Fields of a row in snake_case and times as texts; nested values stay as they are. */
export function toWire<Row extends object>(row: Row): Wire<Row>
export function toWire(row: object): object {
  const wire: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(toSnake(row))) {
    wire[name] = value instanceof Date ? toWireTime(value) : value
  }
  return wire
}
