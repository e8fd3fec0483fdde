import { routesOf } from '../http/routes.ts'
import type * as shapes from './index.ts'

const common = { tag: 'runners' } as const
const one = { ...common, path: '/v1/runners/:id', params: 'RunnerParams' } as const
const enrollments = { ...common, permission: 'runner.write', path: '/v1/runners/enrollments' } as const
const oneEnrollment = { ...enrollments, path: '/v1/runners/enrollments/:id', params: 'RunnerParams' } as const

export const runnerRoutes = routesOf<typeof shapes>()({
  createRunnerEnrollment: {
    ...enrollments,
    method: 'POST',
    summary: 'Create a token with which one runner enrols',
    body: 'RunnerEnrollmentInput',
    answers: { 201: 'NewRunnerEnrollment' },
  },
  listRunnerEnrollments: {
    ...enrollments,
    method: 'GET',
    summary: 'List enrolments without their tokens, newest first',
    query: 'RunnerEnrollmentQuery',
    answers: { 200: ['RunnerEnrollment'] },
  },
  getRunnerEnrollment: {
    ...oneEnrollment,
    method: 'GET',
    summary: 'Show an enrolment',
    answers: { 200: 'RunnerEnrollment' },
  },
  deleteRunnerEnrollment: {
    ...oneEnrollment,
    method: 'DELETE',
    summary: 'Revoke an enrolment token that no runner has used',
    answers: { 204: 'empty' },
  },
  listRunners: {
    ...common,
    method: 'GET',
    path: '/v1/runners',
    summary: 'List runners, newest first',
    permission: 'runner.read',
    query: 'RunnerQuery',
    answers: { 200: ['Runner'] },
  },
  getRunner: {
    ...one,
    method: 'GET',
    summary: 'Show a runner',
    permission: 'runner.read',
    answers: { 200: 'Runner' },
  },
  updateRunner: {
    ...one,
    method: 'PATCH',
    summary: 'Enable, disable, drain, rename or relabel a runner',
    permission: 'runner.write',
    body: 'RunnerChange',
    answers: { 200: 'Runner' },
  },
  deleteRunner: {
    ...one,
    method: 'DELETE',
    summary: 'Remove a runner and revoke its credential',
    permission: 'runner.write',
    answers: { 204: 'empty' },
  },
})
