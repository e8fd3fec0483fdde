import type { Caller } from '#platform/http'
import type { OfferedTool } from '#platform/mcp'
import { permissionsOf, placesOf, type Tool } from '#platform/tools'
import { listInput } from '../rules/listed-input.ts'
import type { Narrowing } from '../rules/narrowing.ts'
import { findRefusal } from './explain-hidden.ts'

/** The tools that the caller could use somewhere, by name. Whatever cannot be known leaves a tool out. */
export function toolsFor(
  tools: readonly Tool[],
  caller: Caller,
  { families, narrowing }: { readonly families: ReadonlySet<string>; readonly narrowing: Narrowing },
): Tool[] {
  const isOffered = (tool: Tool): boolean => {
    if (narrowing.families?.has(tool.family) === false || (narrowing.isReadOnly && tool.does !== 'read')) return false
    return findRefusal(tool, caller, families) === undefined
  }
  // Whoever can plan something can confirm it, whatever it is a family of.
  const plans = tools.some((tool) => tool.does === 'plan' && isOffered(tool))
  return tools.filter((tool) => (tool.does === 'confirm' ? plans : isOffered(tool)))
}

const SHOWN_PLACES = 3

/** A tool as the protocol lists it. Everything in it is a constant, but for the paths of teams. */
export function describeTool(tool: Tool, caller: Caller): OfferedTool {
  const places = placesOf(permissionsOf(tool), caller)
  const isEverywhere = places.includes('/')
  const here = isEverywhere || places.length === 0 ? '' : ` Here: ${shortOf(places)}.`
  return {
    name: tool.name,
    title: tool.title,
    description: `${tool.description}${here}`,
    inputSchema: inputOf(tool),
    annotations: {
      readOnlyHint: tool.does !== 'confirm',
      destructiveHint: tool.does === 'confirm',
      idempotentHint: tool.does !== 'plan',
      openWorldHint: false,
    },
    // The description names the places where there are few.
    meta: places.length > SHOWN_PLACES ? { 'signalbox/places': places } : {},
  }
}

/** The schema of a tool never changes: it is written once. */
const inputs = new WeakMap<Tool, OfferedTool['inputSchema']>()

function inputOf(tool: Tool): OfferedTool['inputSchema'] {
  const known = inputs.get(tool)
  if (known) return known
  const listed = listInput(tool.input, tool.does === 'read')
  inputs.set(tool, listed)
  return listed
}

function shortOf(places: readonly string[]): string {
  const shown = places.slice(0, SHOWN_PLACES).join(', ')
  return places.length > SHOWN_PLACES ? `${shown} and ${places.length - SHOWN_PLACES} more` : shown
}

/** A tool as the documents tell of it. */
export interface DescribedTool extends Omit<OfferedTool, 'meta'> {
  readonly family: string
  readonly does: string
  /** Without each of these the tool is not offered. */
  readonly permissions: readonly string[]
  /** The routes that it calls, by operationId. */
  readonly routes: readonly string[]
  readonly optionalRoutes: readonly string[]
}

/** A tool as the grants of nobody narrow it: `everybody` may do everything. */
export function describeWholly(tool: Tool, everybody: Caller): DescribedTool {
  const { meta: _, ...offered } = describeTool(tool, everybody)
  return {
    ...offered,
    family: tool.family,
    does: tool.does,
    permissions: [...new Set(permissionsOf(tool))],
    routes: Object.keys(tool.routes),
    optionalRoutes: Object.keys(tool.optional),
  }
}
