import { routesOf } from '../http/routes.ts'
import type * as shapes from './index.ts'

const COMMON = { tag: 'runners' } as const
const ONE = { ...COMMON, path: '/v1/runners/:id', params: 'RunnerParams' } as const
const ENROLLMENTS = { ...COMMON, permission: 'runner.write', path: '/v1/runners/enrollments' } as const
const ONE_ENROLLMENT = { ...ENROLLMENTS, path: '/v1/runners/enrollments/:id', params: 'RunnerParams' } as const

export const runnerRoutes = routesOf<typeof shapes>()({
  createRunnerEnrollment: {
    ...ENROLLMENTS,
    method: 'POST',
    summary: 'Create a token with which one runner enrols',
    body: 'RunnerEnrollmentInput',
    answers: { 201: 'NewRunnerEnrollment' },
  },
  listRunnerEnrollments: {
    ...ENROLLMENTS,
    method: 'GET',
    summary: 'List enrolments without their tokens, newest first',
    query: 'RunnerEnrollmentQuery',
    answers: { 200: ['RunnerEnrollment'] },
  },
  getRunnerEnrollment: {
    ...ONE_ENROLLMENT,
    method: 'GET',
    summary: 'Show an enrolment',
    answers: { 200: 'RunnerEnrollment' },
  },
  deleteRunnerEnrollment: {
    ...ONE_ENROLLMENT,
    method: 'DELETE',
    summary: 'Revoke an enrolment token that no runner has used',
    answers: { 204: 'empty' },
  },
  listRunners: {
    ...COMMON,
    method: 'GET',
    path: '/v1/runners',
    summary: 'List runners, newest first',
    permission: 'runner.read',
    query: 'RunnerQuery',
    answers: { 200: ['Runner'] },
  },
  getRunner: {
    ...ONE,
    method: 'GET',
    summary: 'Show a runner',
    permission: 'runner.read',
    answers: { 200: 'Runner' },
  },
  updateRunner: {
    ...ONE,
    method: 'PATCH',
    summary: 'Enable, disable, drain, rename or relabel a runner',
    permission: 'runner.write',
    body: 'RunnerChange',
    answers: { 200: 'Runner' },
  },
  deleteRunner: {
    ...ONE,
    method: 'DELETE',
    summary: 'Remove a runner and revoke its credential',
    permission: 'runner.write',
    answers: { 204: 'empty' },
  },
})
