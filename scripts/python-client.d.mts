export function pythonGenerator(): Promise<{ modules: string } | { missing: string }>;
export function generatePythonClient(modules: string, document: string, folder: string): Promise<string[]>;
