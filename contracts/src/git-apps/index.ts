export * from './app.ts'
export * from './doctor.ts'
export * from './installation.ts'
