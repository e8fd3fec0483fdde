import type { Route } from '@signalbox/contracts/http/routes'
import { IsSchema } from 'typebox'
import { Value } from 'typebox/value'
import { SHAPES } from './answer-shapes.ts'

/** The first field that the statement of a route has and this answer lacks, such as `steps.0.reason`. */
export function findMissingField({ answers }: Route, body: unknown): string | undefined {
  const fields = Object.values(answers).map((shape) => {
    if (typeof shape === 'string') return findInShape(shape, body)
    const items: readonly unknown[] = Array.isArray(body) ? body : []
    return items.map((item, at) => findInShape(shape[0], item, [at])).find((field) => field !== undefined)
  })
  return fields.includes(undefined) ? undefined : fields[0]
}

function findInShape(name: string, body: unknown, path: readonly number[] = []): string | undefined {
  const schema = SHAPES[name]
  const errors = IsSchema(schema) ? Value.Errors(schema, body) : []
  const [field] = errors.flatMap((error) =>
    error.keyword === 'required'
      ? [[...path, ...error.instancePath.split('/').slice(1), error.params.requiredProperties[0]].join('.')]
      : [],
  )
  return field
}
