import { expect, test } from 'vitest'
import { parseEnvironmentFile } from './environment-file.ts'

test.each<[line: string, value: string]>([
  ['A=Muripo <no-reply@pay.example>', 'Muripo <no-reply@pay.example>'],
  ['A=smtps://user:p%40ss@mail.example?x=1', 'smtps://user:p%40ss@mail.example?x=1'],
  ['A=before#after # and more', 'before#after # and more'],
  ['A=$HOME `id` $(id)', '$HOME `id` $(id)'],
  ['A= \t between  spaces \t ', 'between  spaces'],
  ['  A =x', 'x'],
  ['A="quoted # \\"text\\" \\$x \\\\ \\n" ', 'quoted # "text" $x \\ \\n'],
  ['A=\'single \\ "x"\'', 'single \\ "x"'],
  [`A="one"'two'`, 'onetwo'],
  ['A=it\'s "plain"', 'it\'s "plain"'],
  ['A=a\\b\\\\c', 'ab\\c'],
  ['A=one \\\ntwo', 'one two'],
  ['A="one\ntwo"', 'one\ntwo'],
  ['A=x\r', 'x'],
  ['A=', ''],
  ['A=first\nA=second', 'second'],
  ['A="without an end', 'without an end\nC=2'],
])('%j is read as systemd reads it', (line, value) => {
  expect(parseEnvironmentFile(`# A=comment\n; A=comment\n\nB=1\n${line}\nC=2`)).toMatchObject({
    A: value,
    B: '1',
  })
})

test('a line without a variable is left out, and the next one is read', () => {
  expect(parseEnvironmentFile('export X=1\n=2\nnothing\n1X=3\nB=1')).toEqual({ B: '1' })
})
