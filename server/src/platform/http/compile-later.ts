import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifySchema, FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'

/**
 * Compiles a schema when a value first meets it. To compile the schemas of all routes takes a second, which no start
 * should wait for. A process uses only some of them, and most answers share the schema of a problem.
 */
export function validateLater(compile: FastifySchemaCompiler<FastifySchema>): FastifySchemaCompiler<FastifySchema> {
  return (part) => {
    let validate: ReturnType<typeof compile> | undefined
    return (data: unknown) => {
      validate ??= compile(part)
      const result = validate(data)
      // The errors hang on the function that was called, which Fastify does not see behind this one.
      return result === false ? { error: validate.errors ?? [] } : result
    }
  }
}

/** Like `validateLater`, for answers; routes with the same schema share the compiled function. */
export function createSerializerCompiler(): FastifySerializerCompiler<FastifySchema> {
  const compile = SerializerSelector()({}, {})
  const known = new WeakMap<object, ReturnType<typeof compile>>()
  return (part) => (data: unknown) => {
    let serialize = known.get(part.schema)
    if (!serialize) {
      serialize = compile({ ...part, httpStatus: part.httpStatus ?? '' })
      known.set(part.schema, serialize)
    }
    return serialize(data)
  }
}
