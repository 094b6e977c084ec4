import { writeFileSync } from 'node:fs'
import { typesSource } from './types-source.ts'

writeFileSync(new URL('../src/generated/types.ts', import.meta.url), typesSource())
