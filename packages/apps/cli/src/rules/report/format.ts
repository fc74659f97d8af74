/** How commands that find something can print it. */
export const reportFormats = ['text', 'json', 'markdown', 'junit', 'sarif'] as const;
export type ReportFormat = (typeof reportFormats)[number];
