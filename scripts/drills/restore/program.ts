import { spawn } from 'node:child_process'

/** Runs a program to its end. The error contains its output. */
export function runProgram(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  account: { readonly uid?: number; readonly gid?: number } = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: '/', env, stdio: ['ignore', 'pipe', 'pipe'], ...account })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    child.once('error', reject)
    // A server that the program has started keeps its output open.
    child.once('exit', (code) => {
      child.stdout.destroy()
      child.stderr.destroy()
      if (code === 0) resolve()
      else reject(new Error(`${program} ${args.join(' ')} ended with ${code}: ${output}`))
    })
  })
}
