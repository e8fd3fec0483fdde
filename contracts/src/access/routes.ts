import { routesOf } from '../http/routes.ts'
import type * as shapes from './index.ts'

const one = { params: 'SubjectParams' } as const

const auth = { tag: 'auth' } as const

export const identityRoutes = routesOf<typeof shapes>()({
  getMe: {
    ...auth,
    method: 'GET',
    path: '/v1/auth/me',
    summary: 'The owner of the token, and the permissions of the owner by team path',
    class: 'authenticated',
    answers: { 200: 'Me' },
  },
  listPermissions: {
    ...auth,
    method: 'GET',
    path: '/v1/auth/permissions',
    summary: 'Every permission, and which role has it',
    class: 'authenticated',
    answers: { 200: 'PermissionTable' },
  },
  getBootstrap: {
    ...auth,
    method: 'GET',
    path: '/v1/auth/bootstrap',
    summary: 'Whether the bootstrap token still is an administrator',
    permission: 'user.write',
    answers: { 200: 'BootstrapState' },
  },
  revokeBootstrap: {
    ...auth,
    method: 'DELETE',
    path: '/v1/auth/bootstrap',
    summary: 'Revoke the bootstrap token for good; an administrator other than itself may',
    permission: 'user.write',
    answers: { 204: 'empty' },
  },
})

const users = { tag: 'users', path: '/v1/users' } as const
const user = { ...users, ...one, path: '/v1/users/:id' } as const

export const userRoutes = routesOf<typeof shapes>()({
  createUser: {
    ...users,
    method: 'POST',
    summary: 'Create a user',
    permission: 'user.write',
    body: 'CreateUser',
    answers: { 201: 'User' },
  },
  listUsers: {
    ...users,
    method: 'GET',
    summary: 'List users, newest first; without user.read only yourself',
    permission: 'user.read',
    query: 'SubjectListQuery',
    answers: { 200: ['User'] },
  },
  getUser: {
    ...user,
    method: 'GET',
    summary: 'Show a user; yourself without any permission',
    permission: 'user.read',
    answers: { 200: 'User' },
  },
  updateUser: {
    ...user,
    method: 'PATCH',
    summary: 'Change a user; your own name, email and password without any permission',
    permission: 'user.write',
    body: 'ChangeUser',
    answers: { 200: 'User' },
  },
  deleteUser: {
    ...user,
    method: 'DELETE',
    summary: 'Delete a user with their tokens and grants',
    permission: 'user.write',
    answers: { 204: 'empty' },
  },
})

const groups = { tag: 'groups', path: '/v1/groups' } as const
const group = { ...groups, ...one, path: '/v1/groups/:id' } as const
const members = { ...group, path: '/v1/groups/:id/members' } as const
const member = { ...groups, path: '/v1/groups/:id/members/:user_id', params: 'MemberParams' } as const

export const groupRoutes = routesOf<typeof shapes>()({
  createGroup: {
    ...groups,
    method: 'POST',
    summary: 'Create a group',
    permission: 'user.write',
    body: 'CreateGroup',
    answers: { 201: 'Group' },
  },
  listGroups: {
    ...groups,
    method: 'GET',
    summary: 'List groups, newest first',
    permission: 'user.read',
    query: 'SubjectListQuery',
    answers: { 200: ['Group'] },
  },
  getGroup: {
    ...group,
    method: 'GET',
    summary: 'Show a group',
    permission: 'user.read',
    answers: { 200: 'Group' },
  },
  deleteGroup: {
    ...group,
    method: 'DELETE',
    summary: 'Delete a group with its grants',
    permission: 'user.write',
    answers: { 204: 'empty' },
  },
  listGroupMembers: {
    ...members,
    method: 'GET',
    summary: 'List the members of a group, by login',
    permission: 'user.read',
    answers: { 200: ['GroupMember'] },
  },
  addGroupMember: {
    ...member,
    method: 'PUT',
    summary: 'Make a user a member; does nothing where they are one',
    permission: 'user.write',
    answers: { 204: 'empty' },
  },
  removeGroupMember: {
    ...member,
    method: 'DELETE',
    summary: 'Take a user out of a group',
    permission: 'user.write',
    answers: { 204: 'empty' },
  },
})

const accounts = { tag: 'service accounts', path: '/v1/service-accounts' } as const
const account = { ...accounts, ...one, path: '/v1/service-accounts/:id' } as const

export const serviceAccountRoutes = routesOf<typeof shapes>()({
  createServiceAccount: {
    ...accounts,
    method: 'POST',
    summary: 'Create a service account of a team',
    permission: 'service_account.write',
    body: 'CreateServiceAccount',
    answers: { 201: 'ServiceAccount' },
  },
  listServiceAccounts: {
    ...accounts,
    method: 'GET',
    summary: 'List service accounts, newest first',
    permission: 'service_account.read',
    query: 'SubjectListQuery',
    answers: { 200: ['ServiceAccount'] },
  },
  getServiceAccount: {
    ...account,
    method: 'GET',
    summary: 'Show a service account',
    permission: 'service_account.read',
    answers: { 200: 'ServiceAccount' },
  },
  updateServiceAccount: {
    ...account,
    method: 'PATCH',
    summary: 'Disable or enable a service account',
    permission: 'service_account.write',
    body: 'ChangeServiceAccount',
    answers: { 200: 'ServiceAccount' },
  },
  deleteServiceAccount: {
    ...account,
    method: 'DELETE',
    summary: 'Delete a service account with its tokens and grants',
    permission: 'service_account.write',
    answers: { 204: 'empty' },
  },
})

const tokens = { tag: 'tokens', path: '/v1/tokens' } as const

export const tokenRoutes = routesOf<typeof shapes>()({
  createToken: {
    ...tokens,
    method: 'POST',
    summary: 'Create a token for yourself or for a service account; it is shown once',
    permission: 'token.write',
    body: 'CreateToken',
    answers: { 201: 'NewToken' },
  },
  listTokens: {
    ...tokens,
    method: 'GET',
    summary: 'List your tokens and those of the service accounts that you look after; never the tokens themselves',
    permission: 'token.write',
    query: 'SubjectListQuery',
    answers: { 200: ['Token'] },
  },
  revokeToken: {
    ...tokens,
    ...one,
    method: 'DELETE',
    path: '/v1/tokens/:id',
    summary: 'Revoke a token: it stops working at once',
    permission: 'token.write',
    answers: { 204: 'empty' },
  },
})

const grants = { tag: 'grants', path: '/v1/grants' } as const
const grant = { ...grants, ...one, path: '/v1/grants/:id' } as const

export const grantRoutes = routesOf<typeof shapes>()({
  createGrant: {
    ...grants,
    method: 'POST',
    summary: 'Give a role at a team path; nobody gives more than they have',
    permission: 'grant.write',
    body: 'CreateGrant',
    answers: { 201: 'Grant' },
  },
  listGrants: {
    ...grants,
    method: 'GET',
    summary: 'List who has which role where, newest first',
    permission: 'grant.read',
    query: 'GrantQuery',
    answers: { 200: ['Grant'] },
  },
  getGrant: {
    ...grant,
    method: 'GET',
    summary: 'Show a grant',
    permission: 'grant.read',
    answers: { 200: 'Grant' },
  },
  deleteGrant: {
    ...grant,
    method: 'DELETE',
    summary: 'Take a role away',
    permission: 'grant.write',
    answers: { 204: 'empty' },
  },
})
