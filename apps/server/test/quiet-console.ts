import { afterEach, beforeEach, expect, type MockInstance, vi } from 'vitest'

let complaints: MockInstance[] = []

// A warning during a test is a failure, even when every assertion holds.
beforeEach(() => {
  complaints = [vi.spyOn(console, 'error'), vi.spyOn(console, 'warn')]
})

afterEach(() => {
  const complained = complaints.flatMap((complaint) => complaint.mock.calls)
  for (const complaint of complaints) complaint.mockRestore()
  expect(complained, 'complaints on the console').toEqual([])
})
