import { afterAll } from 'vitest'
import { dropTestDatabases } from './test-database.ts'

// Files of a worker share their modules, so the hook of each file belongs to a setup file. It runs after the hooks of the file.
afterAll(dropTestDatabases)
