import { JOBS_SCHEMA } from '#platform/jobs'

/** Schemas that belong to the state beside the product's own. */
export const SCHEMAS: readonly string[] = [JOBS_SCHEMA]

/** Tables that say something of a place and nothing of the state: another place has its own. */
export const LEFT_OUT: readonly string[] = ['object_places']
