import { routesOf } from '../http/routes.ts'
import type * as shapes from './index.ts'

const SOURCES = { tag: 'git', path: '/v1/git-webhook-sources' } as const
const SOURCE = { tag: 'git', path: '/v1/git-webhook-sources/:sourceID', params: 'SourceParams' } as const

export const sourceRoutes = routesOf<typeof shapes>()({
  listSources: {
    ...SOURCES,
    method: 'GET',
    summary: 'List the webhook sources that the caller may see, newest first',
    permission: 'webhook_source.read',
    query: 'WebhookSourceQuery',
    answers: { 200: ['WebhookSource'] },
  },
  getSource: {
    ...SOURCE,
    method: 'GET',
    summary: 'Show a webhook source',
    permission: 'webhook_source.read',
    answers: { 200: 'WebhookSource' },
  },
  getSourceHealth: {
    ...SOURCE,
    method: 'GET',
    path: '/v1/git-webhook-sources/:sourceID/health',
    summary: 'How a source does: what the provider counts as failures, what nothing can use, which secrets are in use',
    permission: 'webhook_source.read',
    answers: { 200: 'SourceHealth' },
  },
  createSource: {
    ...SOURCES,
    method: 'POST',
    summary: 'Create a webhook source; deliveries go to /v1/git/webhooks/{sourceID}',
    permission: 'webhook_source.write',
    body: 'WebhookSourceDocument',
    answers: { 201: 'WebhookSource' },
  },
  replaceSource: {
    ...SOURCE,
    method: 'PUT',
    summary: 'Replace a webhook source; what is left out has its default',
    permission: 'webhook_source.write',
    body: 'WebhookSourceDocument',
    answers: { 200: 'WebhookSource' },
  },
  updateSource: {
    ...SOURCE,
    method: 'PATCH',
    summary: 'Change some fields of a webhook source',
    permission: 'webhook_source.write',
    body: 'WebhookSourcePatch',
    answers: { 200: 'WebhookSource' },
  },
  deleteSource: {
    ...SOURCE,
    method: 'DELETE',
    summary: 'Delete a webhook source; its triggers match nothing from then on',
    permission: 'webhook_source.write',
    query: 'DeleteSourceQuery',
    answers: { 204: 'empty' },
  },
})

const CONNECTIONS = { ...SOURCE, path: '/v1/git-webhook-sources/:sourceID/connections' } as const

export const connectionRoutes = routesOf<typeof shapes>()({
  listConnections: {
    ...CONNECTIONS,
    method: 'GET',
    summary: 'List the webhooks that the service made for a source; no provider is asked',
    permission: 'webhook_source.read',
    answers: { 200: ['Connection'] },
  },
  connectRepository: {
    ...CONNECTIONS,
    method: 'POST',
    summary: "Make the webhook of a repository at the source's provider, or repair the existing webhook",
    permission: 'webhook_source.write',
    body: 'ConnectionRequest',
    answers: { 200: 'ConnectionResult' },
  },
  checkConnection: {
    ...CONNECTIONS,
    method: 'POST',
    path: '/v1/git-webhook-sources/:sourceID/connections/check',
    summary: 'Ask the provider whether the webhook of a repository is as it must be; nothing changes there',
    permission: 'webhook_source.write',
    body: 'ConnectionRequest',
    answers: { 200: 'Connection' },
  },
  disconnectRepository: {
    ...CONNECTIONS,
    method: 'POST',
    path: '/v1/git-webhook-sources/:sourceID/connections/disconnect',
    summary: 'Remove every webhook of a repository that sends to the source',
    permission: 'webhook_source.write',
    body: 'ConnectionRequest',
    answers: { 200: 'Disconnection' },
  },
})

const DELIVERIES = { ...SOURCE, path: '/v1/git-webhook-sources/:sourceID/deliveries' } as const
const DELIVERY = {
  tag: 'git',
  path: '/v1/git-webhook-sources/:sourceID/deliveries/:deliveryID',
  params: 'DeliveryParams',
} as const

export const deliveryRoutes = routesOf<typeof shapes>()({
  listDeliveries: {
    ...DELIVERIES,
    method: 'GET',
    summary: 'List the deliveries of a source, newest first',
    permission: 'delivery.read',
    query: 'DeliveryQuery',
    answers: { 200: ['Delivery'] },
  },
  listAllDeliveries: {
    tag: 'git',
    method: 'GET',
    path: '/v1/deliveries',
    summary: 'List the deliveries of all sources that the caller may see, newest first',
    permission: 'delivery.read',
    query: 'AllDeliveriesQuery',
    answers: { 200: ['Delivery'] },
  },
  getDelivery: {
    ...DELIVERY,
    method: 'GET',
    summary: 'Show a delivery with its trace, its events, headers and payload',
    permission: 'delivery.read',
    answers: { 200: 'DeliveryDetail' },
  },
  replayDelivery: {
    ...DELIVERY,
    method: 'POST',
    path: '/v1/git-webhook-sources/:sourceID/deliveries/:deliveryID/replay',
    summary: "Run a stored delivery through today's triggers again; 202 when something started",
    permission: 'delivery.replay',
    query: 'ReplayQuery',
    body: 'ReplayOptions',
    answers: { 200: 'Replay', 202: 'Replay' },
  },
  replayDeliveries: {
    ...DELIVERIES,
    method: 'POST',
    path: '/v1/git-webhook-sources/:sourceID/deliveries/replay',
    summary: "Run many stored deliveries through today's triggers again, oldest first; 202 when something started",
    permission: 'delivery.replay',
    body: 'ReplayRequest',
    answers: { 200: 'ReplayBatch', 202: 'ReplayBatch' },
  },
})

export const pushExplanationRoutes = routesOf<typeof shapes>()({
  explainPush: {
    tag: 'git',
    method: 'GET',
    path: '/v1/explain/push',
    summary: 'Why a push, tag, pull request or delivery started nothing, or what it started',
    permission: 'delivery.read',
    query: 'PushQuery',
    answers: { 200: 'PushExplanation' },
  },
})

export const branchRoutes = routesOf<typeof shapes>()({
  listBranches: {
    tag: 'git',
    method: 'GET',
    path: '/v1/repositories/:repoOwner/:repoName/branches',
    summary: 'List the branches of a connected repository, as its provider has them now',
    permission: 'webhook_source.read',
    params: 'RepositoryParams',
    answers: { 200: ['Branch'] },
  },
})

/** A route apart: providers call it, with their own proof of identity. */
export const ingressRoutes = routesOf<typeof shapes>()({
  receiveDelivery: {
    tag: 'git',
    method: 'POST',
    path: '/v1/git/webhooks/:sourceID',
    summary: 'Receive a delivery of a Git provider (body: the provider event)',
    class: 'public',
    params: 'IngressParams',
    rawBody: true,
    answers: { 200: 'IngressAnswer', 202: 'IngressAnswer' },
  },
})
