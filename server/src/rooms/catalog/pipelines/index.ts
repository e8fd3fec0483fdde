import type { Graph } from '@signalbox/pipeline/graph'
import type { Queryable } from '#platform/database'
import { prefixesOf } from '#platform/http'
import { type Doors, defineRoom } from '#platform/room'
import { findPipeline } from './actions/find-pipeline.ts'
import { foreseeSave } from './actions/foresee-save.ts'
import { createPipelineLookup } from './actions/lookup-pipeline.ts'
import { createDocumentParser } from './actions/parse-document.ts'
import { type Reach, type ReachStart, reachScopes } from './actions/reach-scopes.ts'
import { createGraphReader } from './actions/read-graph.ts'
import { type PipelineForRun, resolveCurrent, resolveVersion } from './actions/resolve-pipeline.ts'
import { pipelineProblem } from './errors.ts'
import type { Means } from './means.ts'
import { pipelinePlanners } from './planners.ts'
import { pipelineRoutes } from './routes.ts'
import { type PipelineReference, referencesOf } from './rules/index.ts'
import { findDocument, listLive, type PipelineRow } from './store/index.ts'
import { searchPipelines } from './store/search-pipelines.ts'
import { pipelineTools } from './tools.ts'

export type { PinnedProfile, PipelineForRun } from './actions/resolve-pipeline.ts'
export type { AbovePipelines, StartingRule } from './means.ts'
export type { PipelineReference } from './rules/index.ts'
export type { PipelineRow } from './store/index.ts'

export interface Pipelines {
  /** A live pipeline by uuid or identifier. */
  find(db: Queryable, idOrIdentifier: string): Promise<PipelineRow | undefined>
  /** Those of these pipelines that were not deleted. */
  listLive(db: Queryable, ids: readonly string[]): Promise<ReadonlySet<string>>
  /** The current version of a live pipeline with its graph, read from the tables. */
  resolveForRun(db: Queryable, identifier: string): Promise<(PipelineForRun & { readonly graph: Graph }) | undefined>
  /**
   * One version, for a run that repeats another: also an old one, also of a deleted pipeline. `problem` is a sentence
   * when a profile that it names is gone.
   */
  resolveVersionForRun(
    db: Queryable,
    versionId: string,
  ): Promise<PipelineForRun | { readonly problem: string } | undefined>
  /** As resolveForRun without the graph, from memory: for ingress. Usually current, at most 5 s behind. */
  lookup(identifier: string): Promise<PipelineForRun | undefined>
  /** Everything outside the pipeline that its graph names, with the directives. */
  referencesOf(graph: Graph): readonly PipelineReference[]
  /** The YAML of a version as it was saved; undefined: there is no such version. */
  findDocument(db: Queryable, versionId: string): Promise<string | undefined>
  /** The graph of a version, from memory where it is kept. */
  getGraph(db: Queryable, versionId: string): Promise<Graph | undefined>
  /** All scopes that these runs reach, also by their steps and by child pipelines. */
  reachScopes(db: Queryable, starts: readonly ReachStart[]): Promise<Reach>
}

export const pipelines = defineRoom<Pipelines, Omit<Doors<Means>, 'parse' | 'getGraph' | 'forget'>>({
  name: 'catalog/pipelines',
  open(kit, needs) {
    const cache = createPipelineLookup(kit, (identifier) => resolveCurrent(means, kit.database.kysely, identifier))
    const getGraph = createGraphReader()
    const means: Means = { ...kit, ...needs, parse: createDocumentParser(kit), getGraph, forget: cache.forget }
    return {
      door: {
        find: findPipeline,
        listLive,
        async resolveForRun(db, identifier) {
          const pipeline = await resolveCurrent(means, db, identifier)
          const graph = pipeline && (await getGraph(db, pipeline.versionId))
          return graph && { ...pipeline, graph }
        },
        resolveVersionForRun: (db, versionId) => resolveVersion(means, db, versionId),
        lookup: cache.lookup,
        referencesOf,
        findDocument,
        getGraph,
        reachScopes: (db, starts) => reachScopes(means, db, starts),
      },
      routes: pipelineRoutes(means),
      tools: pipelineTools,
      planners: pipelinePlanners((...call) => foreseeSave(means, ...call)),
      searches: [
        {
          kind: 'pipeline',
          find: (caller, wish) =>
            searchPipelines(kit.database.kysely, prefixesOf(caller, 'pipeline.read', wish.within), wish),
        },
      ],
      problems: [pipelineProblem],
      close: async () => cache.close(),
    }
  },
})
