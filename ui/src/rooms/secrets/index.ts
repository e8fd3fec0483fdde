export { SecretForm } from './secret-form.tsx'
