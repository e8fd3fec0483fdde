import { routesOf } from '../http/routes.ts'
import type * as shapes from './index.ts'

const PLANS = { tag: 'plans', class: 'authenticated', path: '/v1/plans' } as const
const PLAN = { tag: 'plans', class: 'authenticated', path: '/v1/plans/:id', params: 'PlanParams' } as const

export const planRoutes = routesOf<typeof shapes>()({
  createPlan: {
    ...PLANS,
    limitedTokens: 'act',
    method: 'POST',
    summary: 'Plan a write: it is judged and described as if it were done, and rolled back; valid for ten minutes',
    body: 'PlanRequest',
    answers: { 201: 'Plan' },
  },
  listPlans: {
    ...PLANS,
    limitedTokens: 'ask',
    method: 'GET',
    summary: 'List the plans of the caller, and those that the caller may approve, newest first',
    query: 'PlanQuery',
    answers: { 200: ['Plan'] },
  },
  getPlan: {
    ...PLAN,
    limitedTokens: 'ask',
    method: 'GET',
    summary: 'Show a plan; once it is carried out, with what the write answered',
    answers: { 200: 'Plan' },
  },
  confirmPlan: {
    ...PLAN,
    limitedTokens: 'act',
    method: 'POST',
    path: '/v1/plans/:id/confirm',
    summary: 'Carry out a plan, once, with the token that planned it; 202 where another person has to approve it first',
    body: 'PlanConfirmation',
    answers: { 200: 'Plan', 202: 'Plan' },
  },
  approvePlan: {
    ...PLAN,
    limitedTokens: 'no',
    method: 'POST',
    path: '/v1/plans/:id/approve',
    summary: 'Approve the plan of somebody else as a person who may do the same: it is carried out as its planner',
    answers: { 200: 'Plan' },
  },
  refusePlan: {
    ...PLAN,
    limitedTokens: 'act',
    method: 'POST',
    path: '/v1/plans/:id/refuse',
    summary: 'Refuse a plan that the caller could approve, or withdraw an own one',
    body: 'PlanRefusal',
    answers: { 200: 'Plan' },
  },
})
