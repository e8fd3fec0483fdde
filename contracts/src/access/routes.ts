import { routesOf } from '../http/routes.ts'
import type * as shapes from './index.ts'

const ONE = { params: 'SubjectParams' } as const

const AUTH = { tag: 'auth' } as const

export const identityRoutes = routesOf<typeof shapes>()({
  getMe: {
    ...AUTH,
    method: 'GET',
    path: '/v1/auth/me',
    summary: 'The owner of the token, and the permissions of the owner by team path',
    class: 'authenticated',
    limitedTokens: 'ask',
    answers: { 200: 'Me' },
  },
  listPermissions: {
    ...AUTH,
    method: 'GET',
    path: '/v1/auth/permissions',
    summary: 'Every permission, and which role has it',
    class: 'authenticated',
    limitedTokens: 'ask',
    answers: { 200: 'PermissionTable' },
  },
  getBootstrap: {
    ...AUTH,
    method: 'GET',
    path: '/v1/auth/bootstrap',
    summary: 'Whether the bootstrap token still is an administrator',
    permission: 'user.write',
    answers: { 200: 'BootstrapState' },
  },
  revokeBootstrap: {
    ...AUTH,
    method: 'DELETE',
    path: '/v1/auth/bootstrap',
    summary: 'Revoke the bootstrap token for good; an administrator other than itself may',
    permission: 'user.write',
    answers: { 204: 'empty' },
  },
})

const USERS = { tag: 'users', path: '/v1/users' } as const
const USER = { ...USERS, ...ONE, path: '/v1/users/:id' } as const

export const userRoutes = routesOf<typeof shapes>()({
  createUser: {
    ...USERS,
    method: 'POST',
    summary: 'Create a user',
    permission: 'user.write',
    body: 'CreateUser',
    answers: { 201: 'User' },
  },
  listUsers: {
    ...USERS,
    method: 'GET',
    summary: 'List users, newest first; without user.read only yourself',
    permission: 'user.read',
    query: 'SubjectListQuery',
    answers: { 200: ['User'] },
  },
  getUser: {
    ...USER,
    method: 'GET',
    summary: 'Show a user; yourself without any permission',
    permission: 'user.read',
    answers: { 200: 'User' },
  },
  updateUser: {
    ...USER,
    method: 'PATCH',
    summary: 'Change a user; your own name, email and password without any permission',
    permission: 'user.write',
    body: 'ChangeUser',
    answers: { 200: 'User' },
  },
  deleteUser: {
    ...USER,
    method: 'DELETE',
    summary: 'Delete a user with their tokens and grants',
    permission: 'user.write',
    answers: { 204: 'empty' },
  },
})

const GROUPS = { tag: 'groups', path: '/v1/groups' } as const
const GROUP = { ...GROUPS, ...ONE, path: '/v1/groups/:id' } as const
const MEMBERS = { ...GROUP, path: '/v1/groups/:id/members' } as const
const MEMBER = { ...GROUPS, path: '/v1/groups/:id/members/:user_id', params: 'MemberParams' } as const

export const groupRoutes = routesOf<typeof shapes>()({
  createGroup: {
    ...GROUPS,
    method: 'POST',
    summary: 'Create a group',
    permission: 'user.write',
    body: 'CreateGroup',
    answers: { 201: 'Group' },
  },
  listGroups: {
    ...GROUPS,
    method: 'GET',
    summary: 'List groups, newest first',
    permission: 'user.read',
    query: 'SubjectListQuery',
    answers: { 200: ['Group'] },
  },
  getGroup: {
    ...GROUP,
    method: 'GET',
    summary: 'Show a group',
    permission: 'user.read',
    answers: { 200: 'Group' },
  },
  deleteGroup: {
    ...GROUP,
    method: 'DELETE',
    summary: 'Delete a group with its grants',
    permission: 'user.write',
    answers: { 204: 'empty' },
  },
  listGroupMembers: {
    ...MEMBERS,
    method: 'GET',
    summary: 'List the members of a group, by login',
    permission: 'user.read',
    answers: { 200: ['GroupMember'] },
  },
  addGroupMember: {
    ...MEMBER,
    method: 'PUT',
    summary: 'Make a user a member; does nothing where they are one',
    permission: 'user.write',
    answers: { 204: 'empty' },
  },
  removeGroupMember: {
    ...MEMBER,
    method: 'DELETE',
    summary: 'Take a user out of a group',
    permission: 'user.write',
    answers: { 204: 'empty' },
  },
})

const ACCOUNTS = { tag: 'service accounts', path: '/v1/service-accounts' } as const
const ACCOUNT = { ...ACCOUNTS, ...ONE, path: '/v1/service-accounts/:id' } as const

export const serviceAccountRoutes = routesOf<typeof shapes>()({
  createServiceAccount: {
    ...ACCOUNTS,
    method: 'POST',
    summary: 'Create a service account of a team',
    permission: 'service_account.write',
    body: 'CreateServiceAccount',
    answers: { 201: 'ServiceAccount' },
  },
  listServiceAccounts: {
    ...ACCOUNTS,
    method: 'GET',
    summary: 'List service accounts, newest first',
    permission: 'service_account.read',
    query: 'SubjectListQuery',
    answers: { 200: ['ServiceAccount'] },
  },
  getServiceAccount: {
    ...ACCOUNT,
    method: 'GET',
    summary: 'Show a service account',
    permission: 'service_account.read',
    answers: { 200: 'ServiceAccount' },
  },
  updateServiceAccount: {
    ...ACCOUNT,
    method: 'PATCH',
    summary: 'Disable or enable a service account',
    permission: 'service_account.write',
    body: 'ChangeServiceAccount',
    answers: { 200: 'ServiceAccount' },
  },
  deleteServiceAccount: {
    ...ACCOUNT,
    method: 'DELETE',
    summary: 'Delete a service account with its tokens and grants',
    permission: 'service_account.write',
    answers: { 204: 'empty' },
  },
})

const TOKENS = { tag: 'tokens', path: '/v1/tokens' } as const

export const tokenRoutes = routesOf<typeof shapes>()({
  createToken: {
    ...TOKENS,
    method: 'POST',
    summary: 'Create a token for yourself or for a service account; it is shown once',
    permission: 'token.write',
    body: 'CreateToken',
    answers: { 201: 'NewToken' },
  },
  listTokens: {
    ...TOKENS,
    method: 'GET',
    summary: 'List your tokens and those of the service accounts that you look after; never the tokens themselves',
    permission: 'token.write',
    query: 'TokenListQuery',
    answers: { 200: ['Token'] },
  },
  revokeToken: {
    ...TOKENS,
    ...ONE,
    method: 'DELETE',
    path: '/v1/tokens/:id',
    summary: 'Revoke a token: it stops working at once',
    permission: 'token.write',
    answers: { 204: 'empty' },
  },
})

const GRANTS = { tag: 'grants', path: '/v1/grants' } as const
const GRANT = { ...GRANTS, ...ONE, path: '/v1/grants/:id' } as const

export const grantRoutes = routesOf<typeof shapes>()({
  createGrant: {
    ...GRANTS,
    method: 'POST',
    summary: 'Give a role at a team path; nobody gives more than they have',
    permission: 'grant.write',
    body: 'CreateGrant',
    answers: { 201: 'Grant' },
  },
  listGrants: {
    ...GRANTS,
    method: 'GET',
    summary: 'List who has which role where, newest first',
    permission: 'grant.read',
    query: 'GrantQuery',
    answers: { 200: ['Grant'] },
  },
  getGrant: {
    ...GRANT,
    method: 'GET',
    summary: 'Show a grant',
    permission: 'grant.read',
    answers: { 200: 'Grant' },
  },
  deleteGrant: {
    ...GRANT,
    method: 'DELETE',
    summary: 'Take a role away',
    permission: 'grant.write',
    answers: { 204: 'empty' },
  },
})

export const accessExplanationRoutes = routesOf<typeof shapes>()({
  explainAccess: {
    tag: 'access',
    method: 'GET',
    path: '/v1/explain/access',
    summary: 'Why you may or may not do something at a team, and who could change that; of others with grant.read',
    class: 'authenticated',
    limitedTokens: 'ask',
    query: 'AccessExplanationQuery',
    answers: { 200: 'AccessExplanation' },
  },
})
