// The targets that go/types finds for the calls, types and embedded types of a module, as JSON on stdout.
//
//	go run types_truth.go MODULE_FOLDER
//
// A line of the answer is [kind, file, line, name, targets]: targets are [file, line] of functions, methods and types of
// the module; the list is empty if the checker names a target of another kind or outside the module. Sites without an
// answer, because they depend on a missing module, are left out.
package main

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
)

type place struct {
	kind, file string
	line       int
	name       string
	targets    [][]any
}

type loader struct {
	root, module string
	files        *token.FileSet
	standard     types.Importer
	packages     map[string]*types.Package
	answers      [][]any
}

func (l *loader) Import(path string) (*types.Package, error) {
	if path == l.module || strings.HasPrefix(path, l.module+"/") {
		return l.load(filepath.Join(l.root, strings.TrimPrefix(path, l.module)), path)
	}
	if strings.Contains(strings.Split(path, "/")[0], ".") {
		return nil, errors.New("not here")
	}
	return l.standard.Import(path)
}

func (l *loader) load(folder, path string) (*types.Package, error) {
	if known, ok := l.packages[path]; ok {
		return known, nil
	}
	found, err := build.ImportDir(folder, 0)
	if err != nil {
		return nil, err
	}
	var syntax []*ast.File
	for _, name := range found.GoFiles {
		file, err := parser.ParseFile(l.files, filepath.Join(folder, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		syntax = append(syntax, file)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}}
	config := types.Config{Importer: l, Error: func(error) {}, FakeImportC: true}
	checked, _ := config.Check(path, l.files, syntax, info)
	l.packages[path] = checked
	for _, file := range syntax {
		l.read(file, info)
	}
	return checked, nil
}

func (l *loader) read(file *ast.File, info *types.Info) {
	heads := map[*ast.Ident]bool{}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.CallExpr:
			if name := last(node.Fun); name != nil {
				heads[name] = true
				l.add("calls", name, info)
			}
		case *ast.StructType:
			for _, field := range node.Fields.List {
				if len(field.Names) == 0 {
					if name := last(field.Type); name != nil {
						heads[name] = true
						l.add("extends", name, info)
					}
				}
			}
		case *ast.Ident:
			if _, is := info.Uses[node].(*types.TypeName); is && !heads[node] {
				l.add("uses", node, info)
			}
		}
		return true
	})
}

func last(node ast.Expr) *ast.Ident {
	switch node := node.(type) {
	case *ast.Ident:
		return node
	case *ast.SelectorExpr:
		return node.Sel
	case *ast.StarExpr:
		return last(node.X)
	case *ast.ParenExpr:
		return last(node.X)
	case *ast.IndexExpr:
		return last(node.X)
	case *ast.IndexListExpr:
		return last(node.X)
	}
	return nil
}

func (l *loader) add(kind string, name *ast.Ident, info *types.Info) {
	object := info.Uses[name]
	if object == nil {
		return
	}
	targets := [][]any{}
	_, isType := object.(*types.TypeName)
	function, isFunction := object.(*types.Func)
	if isFunction {
		object = function.Origin()
	}
	if where := l.files.Position(object.Pos()); (isType || isFunction) && strings.HasPrefix(where.Filename, l.root) {
		targets = append(targets, []any{l.relative(where.Filename), where.Line})
	}
	from := l.files.Position(name.Pos())
	l.answers = append(l.answers, []any{kind, l.relative(from.Filename), from.Line, name.Name, targets})
}

func (l *loader) relative(path string) string {
	found, _ := filepath.Rel(l.root, path)
	return filepath.ToSlash(found)
}

func main() {
	root, _ := filepath.Abs(os.Args[1])
	data, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		panic(err)
	}
	module := ""
	for _, line := range strings.Split(string(data), "\n") {
		if strings.HasPrefix(line, "module ") {
			module = strings.TrimSpace(strings.TrimPrefix(line, "module "))
		}
	}
	files := token.NewFileSet()
	l := &loader{root, module, files, importer.ForCompiler(files, "source", nil), map[string]*types.Package{}, [][]any{}}
	filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			if name := entry.Name(); path != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "vendor") {
				return filepath.SkipDir
			}
			relative, _ := filepath.Rel(root, path)
			l.load(path, strings.TrimSuffix(module+"/"+filepath.ToSlash(relative), "/."))
		}
		return nil
	})
	json.NewEncoder(os.Stdout).Encode(l.answers)
}
