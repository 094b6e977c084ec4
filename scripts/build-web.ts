import { buildWeb } from './lib/web-build.ts'

try {
  await buildWeb((line) => console.log(line)).done
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
