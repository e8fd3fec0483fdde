import { Ajv, type Options } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifyInstance, FastifySchema, FastifySchemaCompiler } from 'fastify'
import { isInstant } from '#platform/time'
import { validateLater } from './compile-later.ts'
import type { Route } from './route.ts'

/** `verbose`: an error knows its schema, whose description is for people. */
const OPTIONS: Options = { allErrors: true, strict: false, removeAdditional: false, useDefaults: true, verbose: true }

/** Coercion is for addresses only: a query and a path are text; a JSON body has types of its own. */
export function createValidatorCompiler(): FastifySchemaCompiler<FastifySchema> {
  const body = new Ajv({ ...OPTIONS, coerceTypes: false })
  const address = new Ajv({ ...OPTIONS, coerceTypes: 'array' })
  for (const ajv of [body, address]) {
    addFormats.default(ajv)
    ajv.addFormat('date-time', isInstant)
  }
  return validateLater(({ schema, httpPart }) => (httpPart === 'body' ? body : address).compile(schema))
}

/** YAML and other text bodies are read by the action; only JSON bodies of the same route meet the schema. */
export function passText(
  scope: FastifyInstance,
  route: Route,
): NonNullable<Parameters<FastifyInstance['route']>[0]['validatorCompiler']> {
  return ({ schema, httpPart }) => {
    const validate = scope.validatorCompiler?.({
      schema,
      method: route.method,
      url: route.path,
      ...(httpPart ? { httpPart } : {}),
    })
    if (!validate) throw new Error(`${route.method} ${route.path} cannot be validated`)
    if (httpPart !== 'body') return validate
    return (data: unknown) => {
      const result = typeof data === 'string' || validate(data)
      // The errors hang on the function that was called, which Fastify does not see behind this one.
      return result === false ? { error: validate.errors ?? [] } : result
    }
  }
}
