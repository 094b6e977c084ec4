export const incidentStatuses = ['investigating', 'identified', 'monitoring', 'resolved'] as const
