export declare function folderOfBuild(root?: string): string
export declare function programOf(name: 'cli' | 'runner' | 'server', root?: string): string
