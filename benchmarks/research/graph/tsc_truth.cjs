// The targets that TypeScript's language service finds for the calls, types and bases of a package, as JSON on stdout.
//
//     node tsc_truth.cjs TREE SOURCE_FOLDER TYPESCRIPT_FOLDER
//
// A line of the answer is [kind, file, line, name, targets]: targets are [file, line] of functions, methods, classes
// and (for types) other declarations of the tree; the list is empty if the service names a target of another kind or
// outside the tree. Sites without an answer are left out.
"use strict"
const fs = require("fs")
const path = require("path")
const [tree, folder, library] = process.argv.slice(2)
const ts = require(path.resolve(library))
const root = fs.realpathSync(tree)

function sources(where) {
  return fs.readdirSync(where, { withFileTypes: true }).flatMap((entry) => {
    const full = path.join(where, entry.name)
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : sources(full)
    return /\.(ts|tsx|mts|cts)$/.test(entry.name) && !/\.d\.[mc]?ts$/.test(entry.name) ? [full] : []
  })
}

const files = sources(path.join(root, folder)).sort()
const options = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  experimentalDecorators: true,
  skipLibCheck: true,
  noEmit: true,
}
const host = {
  getScriptFileNames: () => files,
  getScriptVersion: () => "1",
  getScriptSnapshot: (name) => (fs.existsSync(name) ? ts.ScriptSnapshot.fromString(fs.readFileSync(name, "utf8")) : undefined),
  getCurrentDirectory: () => root,
  getCompilationSettings: () => options,
  getDefaultLibFileName: (given) => ts.getDefaultLibFilePath(given),
  fileExists: ts.sys.fileExists,
  readFile: ts.sys.readFile,
  readDirectory: ts.sys.readDirectory,
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
}
const service = ts.createLanguageService(host)
const program = service.getProgram()

const isFunction = (node) => node && (ts.isArrowFunction(node) || ts.isFunctionExpression(node) || ts.isClassExpression(node))

function isCallable(node) {
  return (
    ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isClassDeclaration(node) ||
    ts.isMethodSignature(node) || ts.isConstructorDeclaration(node) ||
    ((ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node) || ts.isPropertyDeclaration(node)) &&
      isFunction(node.initializer))
  )
}

function isType(node) {
  return (
    ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) ||
    ts.isEnumDeclaration(node) || ts.isModuleDeclaration(node) || ts.isVariableDeclaration(node)
  )
}

function declarationAt(source, position) {
  let node = ts.getTokenAtPosition ? ts.getTokenAtPosition(source, position) : undefined
  if (node && node.kind === ts.SyntaxKind.ConstructorKeyword) return node.parent.parent
  return node && node.parent
}

function targets(file, position, accepts) {
  const found = service.getDefinitionAtPosition(file, position)
  if (!found || !found.length) return undefined
  return found.flatMap((one) => {
    const name = path.relative(root, one.fileName)
    const source = program.getSourceFile(one.fileName)
    if (name.startsWith("..") || name.includes("node_modules") || !source) return []
    const node = declarationAt(source, one.textSpan.start)
    if (!node || !accepts(node)) return []
    const start = node.name ? node.name.getStart(source) : one.textSpan.start
    return [[name, source.getLineAndCharacterOfPosition(start).line + 1]]
  })
}

const answers = []
for (const file of files) {
  const source = program.getSourceFile(file)
  const add = (kind, node, accepts) => {
    const name = ts.isPropertyAccessExpression(node) ? node.name : ts.isQualifiedName(node) ? node.right : node
    if (!ts.isIdentifier(name)) return
    const found = targets(file, name.getStart(source), accepts)
    if (found === undefined) return
    const line = source.getLineAndCharacterOfPosition(name.getStart(source)).line + 1
    answers.push([kind, path.relative(root, file), line, name.text, found])
  }
  const visit = (node) => {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) add("calls", node.expression, isCallable)
    else if (ts.isTypeReferenceNode(node)) add("uses", node.typeName, isType)
    else if (ts.isHeritageClause(node)) for (const base of node.types) add("extends", base.expression, isType)
    ts.forEachChild(node, visit)
  }
  visit(source)
}
process.stdout.write(JSON.stringify(answers))
