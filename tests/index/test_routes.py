"""A route finds the line that declares its last part; groups, classes and folders around it declare the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from index import Index, open_index
from tests.clock import within
from tests.index.conftest import WriteTree, write_files

FILES = {
    "Controllers/AccountController.cs": '[Route("api/[controller]")]\npublic class AccountController : Controller\n{\n'
    '    [HttpPost("login")]\n    public IActionResult Enter(Form form)\n    {\n        return Ok();\n    }\n\n'
    '    [HttpGet("{id}")]\n    public IActionResult One(int id)\n    {\n        return Ok();\n    }\n}\n',
    "web/account.ts": "export class AccountService {\n  login(model: Form) {\n"
    "    return this.http.post('/api/account/login', model)\n  }\n}\n",
    "web/pages/login.html": '<form action="/api/account/login">\n</form>\n',
    "routes/groups.php": "<?php\nRoute::group(['prefix' => 'shop'], function () {\n"
    "    Route::group(['prefix' => 'v1'], function () {\n        Route::get('carts', 'CartController@all');\n    });\n"
    "    Route::group(['prefix' => 'v2'], function () {\n"
    "        Route::get('carts', [CartController::class, 'every']);\n"
    "    });\n});\n",
    "app/CartController.php": "<?php\nclass CartController\n{\n    public function all()\n    {\n        return 1;\n"
    "    }\n\n    public function every()\n    {\n        return 2;\n    }\n}\n",
    "config/routes.rb": "Rails.routes.draw do\n  resources :books, only: [:show]\n  namespace :admin do\n"
    "    resources :books do\n      member do\n        post :publish\n      end\n    end\n  end\n"
    '  get "/stores/near", to: "stores#near"\nend\n',
    "rails/admin/books_controller.rb": "class Admin::BooksController\n  def show\n    1\n  end\n\n  def publish\n"
    "    2\n  end\n\n  def index\n    3\n  end\nend\n",
    "rails/stores_controller.rb": "class StoresController\n  def near\n    1\n  end\nend\n",
    "src/OwnerResource.java": '@RequestMapping("/owners")\nclass OwnerResource {\n    @GetMapping("/{ownerId}")\n'
    "    Owner one(int ownerId) {\n        return owners.one(ownerId);\n    }\n\n    @PostMapping\n"
    "    Owner make(Owner owner) {\n        return owners.save(owner);\n    }\n}\n",
    "dcim/api/urls.py": "# GET /api/dcim/sites/\nrouter = Router()\nrouter.register('racks', views.RackViewSet)\n"
    "router.register('sites', views.SiteViewSet)\n",
    "dcim/api/views.py": "class SiteViewSet(ViewSet):\n    queryset = Site.objects.all()\n",
    "ipam/api/urls.py": "router = Router()\nrouter.register('sites', views.OtherViewSet)\n",
    "service/items.py": 'admin = APIRouter(prefix="/admin/items")\nitems = APIRouter(prefix="/items")\n\n\n'
    '@admin.get("")\ndef all_of_them():\n    return 1\n\n\n@items.get("")\ndef own():\n    return 2\n',
    "flaskish/api.py": "api.add_org_resource(\n    AlertListResource,\n    '/api/alerts/<alert>/mutes',\n)\n\n\n"
    "@routes.route(scoped('/api/alerts/format'), methods=['POST'])\ndef format():\n    return alerts.delete()\n",
    "table/api.rs": 'routes(\n    "" => [get(list_notes), post(add_note)],\n'
    '    "/delete-batch" => post(delete_notes),\n'
    '    "/edit" => post(edit_notes),\n)\nstruct NotesApi;\n\nfn list_notes() {}\nfn add_note() {}\n'
    "fn delete_notes() {}\nfn edit_notes() {}\n",
    "web/client.go": 'package web\n\nfunc Prefs(c *Client) {\n\tc.get200("/localapi/v0/prefs")\n}\n',
    "web/debug.go": 'package web\n\nfunc Debug(path string) {\n\tpath = "/localapi/v0/" + path\n\trequest(path)\n}\n',
    "flaskish/alerts.py": "class AlertListResource(Resource):\n    def post(self, alert):\n        return 1\n",
    "src/alerts.jsx": "routes.register('Alerts', '/alerts/:alert')\nrestApi.get('/api/alerts/5/mutes')\n",
    "paper/urls.py": "api_router.register(r'views', ViewSet)\nurls = [\n    re_path(\n        r'^api/',\n"
    "        include([\n            re_path(\n                '^papers/',\n                include([\n"
    "                    re_path(\n                        '^merge/',\n                        Merge.as_view(),\n"
    "                    ),\n                ]),\n            ),\n        ]),\n    ),\n]\n",
    "site/shop/v1/View.java": 'class View {\n    void f(Model model) {\n        model.put("carts", all);\n    }\n}\n',
    "paper/page.ts": "routes = [{path: 'papers/:section'}]\n",
    "web/tools/server.py": "class Flows(Handler):\n    def get(self):\n        return 1\n\n\n"
    "class FlowHandler(Handler):\n    def get(self, key):\n        return 2\n\n"
    "    def delete(self, key):\n        return 3\n\n\n"
    "class Stop(Handler):\n    def post(self, key):\n        return 4\n\n\n"
    'handlers = [\n    (r"/flows(?:\\.json)?", Flows),\n    (r"/flows/(?P<key>[^/]+)", FlowHandler),\n'
    '    (r"/flows/(?P<key>[0-9a-f\\-]+)/stop", Stop),\n]\n',
    "web/router.ex": 'defmodule Web.Router do\n  scope "/web", Web do\n    live "/mugs", MugLive, :index\n'
    '    post("/mugs/:id/wash", MugController, :wash)\n  end\nend\n',
    "web/mugs.ex": "defmodule Web.MugController do\n  def create(conn, _), do: conn\n\n"
    "  def wash(conn, _), do: conn\nend\n\ndefmodule Web.MugLive do\n  def mount(socket), do: socket\nend\n",
    "rails/shelves_controller.rb": "class ShelvesController\n  def create\n    1\n  end\n\n"
    "  def clear\n    2\n  end\nend\n",
    "config/routes/shelves.rb": "resources :shelves do\n  post 'clear'\nend\n",
    "web/admin.go": 'package web\n\nfunc Routes() []Route {\n\treturn []Route{\n\t\t{\n\t\t\tPattern: "/reload",\n'
    "\t\t\tHandler: reload,\n\t\t},\n\t}\n}\n",
    "web/help.go": 'package web\n\nvar help = "POST /reload asks the server"\n',
    "web/routes.go": 'var table = []Route{\n\t{"GET", "/reports/{id}/pages", showPages},\n}\n\n'
    "func showPages(w Writer) {\n\tw.Write(1)\n}\n",
    "till/urls.py": "api_router.register('tills', views.TillViewSet)\n",
    "till/views.py": "class TillViewSet(ViewSet):\n    def destroy(self, request, pk=None):\n        return 1\n\n"
    "    @action(methods=['get'], detail=True)\n    @cached\n    def receipts(self, request, pk=None):\n"
    "        return 2\n\n\ndef receipts(request):\n    return 3\n",
    "src/events.rs": "/// /tills routes\nfn routes() -> Vec<Route> {\n    routes![till_events]\n}\n\n"
    '#[get("/tills/<till>/events?<data..>")]\nfn till_events(till: Id, data: Range) -> Json {\n    json()\n}\n',
    "server/users.js": "const router = express.Router()\n\nrouter.put('/:id/roles', setRoles)\n\n"
    "router.get('/:id', showUser)\n",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    root = write_files(tmp_path_factory.mktemp("routes"), FILES)
    return open_index(root, home=tmp_path_factory.mktemp("home"), model="embedded")


@pytest.mark.parametrize(
    ("route", "file", "line"),
    [
        ("POST /api/account/login", "Controllers/AccountController.cs", 4),  # not the page that calls it
        ("POST /api/Account/login", "Controllers/AccountController.cs", 4),
        ("GET /api/account/7", "Controllers/AccountController.cs", 10),
        ("GET api/account/7", "Controllers/AccountController.cs", 10),
        ("why does POST api/account/login return 401?", "Controllers/AccountController.cs", 4),
        ("why does POST /api/account/login return 401?", "Controllers/AccountController.cs", 4),
        ("what happens at /api/account/login after an hour", "Controllers/AccountController.cs", 4),
        ("GET /shop/v1/carts", "routes/groups.php", 4),
        ("GET /shop/v2/carts", "routes/groups.php", 7),
        ("GET /site/shop/v1/carts", "routes/groups.php", 4),  # not the code that puts carts into a page
        ("GET /books/3", "config/routes.rb", 2),
        ("PATCH /admin/books/3", "config/routes.rb", 4),
        ("POST /admin/books/3/publish", "config/routes.rb", 6),
        ("GET /owners/3", "src/OwnerResource.java", 3),
        ("POST /owners", "src/OwnerResource.java", 8),
        ("GET /api/dcim/sites/4/", "dcim/api/urls.py", 4),
        ("GET /admin/items", "service/items.py", 5),
        ("GET /items", "service/items.py", 10),
        ("PUT /users/3/roles", "server/users.js", 3),
        ("GET /flows", "web/tools/server.py", 20),
        ("DELETE /flows/12", "web/tools/server.py", 21),
        ("POST /flows/12/stop", "web/tools/server.py", 22),
        ("GET /reports/3/pages", "web/routes.go", 2),
        ("POST /reload", "web/admin.go", 6),
        ("GET /api/tills/3/receipts/", "till/views.py", 7),
        ("GET /api/tills/3/events", "src/events.rs", 6),
        ("GET /users/3", "server/users.js", 5),
        ("GET /users/some-name", "server/users.js", 5),
        ("POST /api/alerts/5/mutes", "flaskish/api.py", 3),
        ("POST /api/alerts/format", "flaskish/api.py", 7),
        ("POST /api/papers/merge/", "paper/urls.py", 10),
        ("GET /api/views/3/", "paper/urls.py", 1),
    ],
)
def test_a_route_leads_to_the_line_that_declares_it(index: Index, route: str, file: str, line: int) -> None:
    hit = index.search(route)[0]
    assert (index.chunk(hit.chunk).file, hit.lines) == (file, ((line, line),))


@pytest.mark.parametrize(
    ("route", "file", "line"),
    [
        ("GET /shop/v1/carts", "app/CartController.php", 4),
        ("GET /shop/v2/carts", "app/CartController.php", 9),
        ("GET /stores/near", "rails/stores_controller.rb", 2),
        ("GET /admin/books/3", "rails/admin/books_controller.rb", 2),
        ("GET /admin/books", "rails/admin/books_controller.rb", 10),
        ("why does POST /admin/books/3/publish answer 500", "rails/admin/books_controller.rb", 6),
        ("GET /api/dcim/sites/", "dcim/api/views.py", 1),
        ("POST /api/alerts/5/mutes", "flaskish/alerts.py", 2),
        ("GET /flows", "web/tools/server.py", 2),
        ("DELETE /flows/12", "web/tools/server.py", 10),
        ("POST /flows/12/stop", "web/tools/server.py", 15),
        ("GET /reports/3/pages", "web/routes.go", 5),
        ("DELETE /api/tills/3/", "till/views.py", 2),
        ("POST /shelves/3/clear", "rails/shelves_controller.rb", 6),
        ("POST /web/mugs/3/wash", "web/mugs.ex", 4),
        ("GET /web/mugs", "web/mugs.ex", 7),
    ],
)
def test_the_handler_of_a_route_comes_after_its_line(index: Index, route: str, file: str, line: int) -> None:
    hit = index.search(route)[1]
    assert (index.chunk(hit.chunk).file, hit.lines[0][0]) == (file, line)
    assert hit.score > 0.5


HELPERS = {
    "server/api.go": 'package server\n\nfunc (api *Router) routes() {\n\tadd(r, "getCarts", api.GetCarts)\n'
    '\tadd(r, "open", api.Open)\n\tadd(r, "close", dropAll)\n}\n',
    "server/carts.go": "package server\n\nfunc (api *Router) GetCarts() int { return 1 }\n\n"
    "func (api *Router) Open() int { return 2 }\n",
    "model/open.go": "package model\n\ntype Open struct{}\n",
}


@pytest.mark.parametrize(
    ("route", "places"),
    [
        ("/rest/getCarts", [("server/api.go", 4), ("server/carts.go", 3)]),
        ("/rest/getCarts.view", [("server/api.go", 4), ("server/carts.go", 3)]),
        ("GET /rest/open", [("server/api.go", 5), ("server/carts.go", 5)]),
        ("/rest/close", []),  # no handler has its name
    ],
)
def test_a_route_of_a_helper_is_a_name_before_its_handler(
    route: str, places: list[tuple[str, int]], write_tree: WriteTree, tmp_path: Path
) -> None:
    index = open_index(write_tree(HELPERS), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search(route, order="pack") if hit.score >= 0.5]
    assert [(index.chunk(hit.chunk).file, hit.lines[0][0]) for hit in hits] == places


CLASSES = {
    "shop/api.py": "api.add_org_resource(CartResource, '/api/carts/<cart_id>')\napi.add_resource(\n    LineResource,\n"
    "    '/api/lines/<line_id>.<filetype>',\n    '/api/carts/<cart_id>/lines/<line_id>.<filetype>',\n)\n",
    "shop/carts.py": "class CartResource(Resource):\n    def delete(self, cart_id):\n        return 1\n\n\n"
    "class LineResource(Resource):\n    def get(self, line_id):\n        return 2\n",
    "web/carts.js": "function remove(cart_id) {\n  return axios\n    .delete(`api/carts/${cart_id}`)\n}\n\n"
    "function line(cart, id) {\n  return axios\n    .get(`api/carts/${cart}/lines/${id}.json`)\n}\n",
    "tests/test_carts.py": "def test_removal(client):\n    assert client.delete('/api/carts', 'x').status == 403\n",
    "config/routes.rb": "Rails.application.routes.draw do\n  resources :books\nend\n",
    "app/views/books/_form.html.erb": "<form></form>\n",
}


@pytest.mark.parametrize(
    ("route", "places"),
    [
        ("DELETE /api/carts/3", [("shop/api.py", 1), ("shop/carts.py", 2)]),  # not the chained call of a client
        ("DELETE /api/carts/3 403", [("shop/api.py", 1), ("shop/carts.py", 2)]),  # nor what builds such a text
        ("DELETE /api/carts/{cart_id}", [("shop/api.py", 1), ("shop/carts.py", 2)]),  # no name is asked for
        ("GET /api/carts/3/lines/7.json", [("shop/api.py", 5), ("shop/carts.py", 7)]),
        ("/api/lines/7.json", [("shop/api.py", 4), ("shop/carts.py", 6)]),
        ("/books/7", [("config/routes.rb", 2)]),  # not a part of a page, `_form`
        ("/books/7.json", [("config/routes.rb", 2)]),  # no file either
    ],
)
def test_a_class_before_several_paths_handles_them(
    route: str, places: list[tuple[str, int]], write_tree: WriteTree, tmp_path: Path
) -> None:
    index = open_index(write_tree(CLASSES), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search(route, order="pack") if hit.score >= 0.5]
    assert [(index.chunk(hit.chunk).file, hit.lines[0][0]) for hit in hits] == places


@pytest.mark.parametrize("call", ['c.request.Put(ctx, "/v1/carts", cart)', 'c.put(ctx, "/v1/carts", cart)'])
def test_a_call_with_a_context_is_a_client(call: str, write_tree: WriteTree, tmp_path: Path) -> None:
    files = {
        "client/carts.go": f"package client\n\nfunc (c *Client) Save(ctx Context, cart Cart) {{\n\t{call}\n}}\n",
        "server/main.go": 'package main\n\nfunc serve() {\n\tmux.HandleFunc("PUT /v1/carts", saveCart)\n}\n',
        "server/carts.go": "package main\n\nfunc saveCart(w Writer, r *Request) {\n\tstore(r)\n}\n",
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    for route in ("/v1/carts", "PUT /v1/carts"):
        hits = [hit for hit in index.search(route, order="pack") if hit.score >= 0.5]
        assert [index.chunk(hit.chunk).file for hit in hits][:2] == ["server/main.go", "server/carts.go"]


def test_lines_may_end_as_on_windows(write_tree: WriteTree, tmp_path: Path) -> None:
    files = {path: text.replace("\n", "\r\n") for path, text in CLASSES.items()}
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search("/api/lines/7.json", order="pack") if hit.score >= 0.5]
    assert [index.chunk(hit.chunk).file for hit in hits] == ["shop/api.py", "shop/carts.py"]


def test_other_entries_of_a_table_are_no_handlers(index: Index) -> None:
    hits = [hit.lines for hit in index.search("POST /notes/delete-batch") if hit.score > 0.5]
    assert hits == [((3, 3),), ((10, 10),)]


def test_the_text_of_a_route_says_more_than_the_declaration_of_a_part(index: Index) -> None:
    hit = index.search("/localapi/v0/prefs")[0]
    assert (index.chunk(hit.chunk).file, hit.lines) == ("web/client.go", ((4, 4),))


def test_a_parameter_of_a_route_is_no_name(write_tree: WriteTree, tmp_path: Path) -> None:
    files = {
        "Users.cs": 'class UserController\n{\n    [HttpGet("Users/{userId}/Latest")]\n'
        "    public int Latest(int userId) => 1;\n}\n",
        "Other.cs": "class Other\n{\n    public int Rename(int userId)\n    {\n        return userId;\n    }\n}\n",
    }
    users = open_index(write_tree(files), home=tmp_path / "home")
    hits = users.search("GET /Users/{userId}/Latest")
    assert {users.chunk(hit.chunk).file for hit in hits if hit.score > 0.5} == {"Users.cs"}


@pytest.mark.parametrize("text", ["the file in /usr/share is missing", "is it read/write or not", "see /docs/a.md now"])
def test_a_path_that_nothing_declares_is_not_a_route(index: Index, text: str) -> None:
    assert not [hit for hit in index.search(text) if hit.score > 0.5]


@pytest.mark.parametrize(
    ("route", "line", "handler"),
    [
        ("POST /api/v1/orders", 15, "app/Order/StoreController.php"),
        ("GET /orders/show/3/2024-01-01", 7, "app/Order/ShowController.php"),
        ("/orders/show/3", 7, "app/Order/ShowController.php"),
    ],
)
def test_prefixes_on_lines_of_their_own_and_optional_parts_are_read(
    write_tree: WriteTree, tmp_path: Path, route: str, line: int, handler: str
) -> None:
    group = "Route::group(\n    [\n        'prefix' => '{}',\n    ],\n    function () {{\n        {}\n    }}\n);\n"
    bulk = group.format("v1/data/bulk", "Route::post('orders', ['uses' => 'BulkController@update']);")
    orders = group.format("v1/orders", "Route::post('', ['uses' => 'StoreController@store']);")
    show = "Route::get('show/{order}/{start?}/{end?}', ['uses' => 'ShowController@show']);"
    controller = "<?php\nclass {}Controller {{\n    public function {}() {{ return 1; }}\n}}\n"
    files = {"routes/api.php": f"<?php\n{bulk}{orders}", "routes/web.php": "<?php\n" + group.format("orders", show)}
    for name in ("Order", "Cart", "Tag"):
        files[f"app/{name}/StoreController.php"] = controller.format("Store", "store")
        files[f"app/{name}/ShowController.php"] = controller.format("Show", "show")
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    first, second = index.search(route)[:2]
    assert first.lines == ((line, line),)
    assert index.chunk(second.chunk).file == handler


def test_a_long_line_with_a_route_and_a_path_of_many_parameters_take_no_time(
    write_tree: WriteTree, tmp_path: Path
) -> None:
    files = {
        "built.js": f"router.get('/api/carts', show); const text = '{'x' * 100_000}';\nfunction a() {{}}\n",
        "table.py": f"ROUTES = [\n    ('/users{'/(a)' * 19}/!', show),\n]\n" * 10,
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    for route in ("GET /api/carts", "GET /users/" + "/".join(map(str, range(19)))):
        with within(5):
            index.search(route)


def test_minified_and_endless_files_take_no_time(write_tree: WriteTree, tmp_path: Path) -> None:
    line = "router.get('/a/notes',e=>e.get(/notes/)),fetch(`/notes`)," * 10_000
    files = {"notes.js": f"let a = 1\n{line}\n", "notes.rb": "  get '/notes'\n  b.get('')\n" * 10_000}
    files["mounts.js"] = "".join(
        f"const a = group('/notes')\nuse('/vaults', a.b{at})\na.get('/')\n" for at in range(10_000)
    )
    files["table.py"] = f"ROUTES = [\n    path('/items', {',)' * 20_000}\n]\n"
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    index.search("carts")  # the first search loads the model
    for route in ("GET /vaults/3/contacts/5/notes", "GET /items"):
        with within(5):
            index.search(route)


@pytest.mark.parametrize("query", ["cartPay", "GET /api/v1/carts"])
def test_a_name_or_a_route_with_many_occurrences_takes_no_time(
    query: str, write_tree: WriteTree, tmp_path: Path
) -> None:
    files = {f"links{at}.js": "http://shop.org/carts/\n" * 15_000 for at in range(4)}
    files["cart.css"] = "".join(f".a{at}.cartPay .cart .pay{{color:#{at:06x}}}" for at in range(20_000))
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    index.search("basket")  # the first search loads the model
    with within(3):
        index.search(query)


@pytest.mark.parametrize(
    ("route", "line"),
    [
        ("POST /api/v1/carts/5/hooks", 6),  # the last part is no value: the group declares it
        ("POST /api/v1/carts/5/labels", 11),
        ("POST /api/v1/carts/shop", 14),  # an import contains this value
    ],
)
def test_a_group_declares_a_route_that_nothing_in_it_spells(
    route: str, line: int, write_tree: WriteTree, tmp_path: Path
) -> None:
    text = (
        'package api; import "host.org/shop/shop"\n\nfunc routes(m *Router) {\n\tm.Group("/api/v1/carts", func() {\n'
        '\t\tm.Group("/:id", func() {\n\t\t\tm.Group("/hooks", func() {\n\t\t\t\tm.Combo("").\n'
        "\t\t\t\t\tPost(createHook)\n\t\t\t})\n"
        '\t\t\tm.Group("/labels", func() {\n\t\t\t\tm.Post("", createLabel)\n\t\t\t})\n\t\t})\n'
        '\t\tm.Post("/:id", changeCart)\n\t})\n}\n'
    )
    index = open_index(write_tree({"api.go": text}), home=tmp_path / "home", model="embedded")
    assert index.search(route)[0].lines == ((line, line),)


def test_a_mapped_group_of_aspnet_declares_the_beginning_of_its_routes(write_tree: WriteTree, tmp_path: Path) -> None:
    client = "class {0}Client\n{{\n    Task MakeCartAsync(Cart cart) => Send(cart);\n}}\n"
    files = {f"clients/{name}Client.cs": client.format(name) for name in ("Web", "Phone", "Desk")}
    files["CartsApi.cs"] = (
        "static class CartsApi\n{\n    static void Map(IRoutes app)\n    {\n"
        '        var api = app.MapGroup("api/carts");\n        api.MapGet("/", AllCartsAsync);\n'
        '        api.MapPost("/", MakeCartAsync);\n    }\n\n'
        f"    static string Text() => {'+'.join(['first'] * 400)};\n\n"
        "    static Task MakeCartAsync(Cart cart) => Save(cart);\n}\n"
    )
    files["Scopes.cs"] = 'static class Scopes\n{\n    static object Own() => new ApiResource("carts", "Carts");\n}\n'
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search("POST /api/carts", order="pack") if hit.score >= 0.5]
    assert {index.chunk(hit.chunk).file for hit in hits} == {"CartsApi.cs"}
    assert {(7, 7), (12, 12)} <= {lines for hit in hits for lines in hit.lines}


GO = {
    "api/api.go": "package api\n\nfunc (s *service) serve(mux *Mux) {\n"
    '\tmux.HandlerFunc(http.MethodPost, "/rest/db/scan", s.postScan)\n'
    '\tmux.HandlerFunc(http.MethodGet, "/rest/db/file", s.getFile)\n\tmux.HandleFunc("/stop", stopAll)\n'
    '\tmux.HandlerFunc(http.MethodGet, "/rest/carts/:id", s.getCart)\n}\n\n'
    + "// A comment.\n" * 99
    + "func (s *service) postScan(w Writer) {\n\tw.Write(1)\n}\n\nfunc stopAll(w Writer) {\n\tw.Write(2)\n}\n",
    "rc/rc.go": 'package rc\n\nfunc (p *Process) Rescan() {\n\tp.Post("/rest/db/scan?folder=" + p.folder)\n}\n'
    '\nfunc (p *Process) stop() {\n\tp.Post("/rest/db/scan?" + p.data())\n}\n',
    "config/routes.rb": "Shop.routes.draw do\n  namespace :admin do\n    resources :carts\n  end\nend\n",
}


@pytest.mark.parametrize(
    ("route", "places", "grade"),
    [
        ("POST /rest/db/scan", [("api/api.go", 4), ("api/api.go", 109)], "strong"),  # not the requests
        ("/stop", [("api/api.go", 6), ("api/api.go", 113)], "strong"),  # no method of this name
        ("/serve", [("api/api.go", 3)], "strong"),  # no route, but a method of this name
        ("DELETE /rest/db/file", [("api/api.go", 5)], "weak"),  # another method
        ("GET /admin/carts/serve", [("config/routes.rb", 3)], "weak"),  # a name, which is hardly a cart
        ("GET /admin/carts/my-cart", [("config/routes.rb", 3)], "strong"),
        ("GET /rest/carts/serve", [("api/api.go", 7)], "strong"),
        ("GET /rest/carts/my-cart", [("api/api.go", 7)], "strong"),
    ],
)
def test_a_route_of_go_leads_to_its_method_and_a_part_of_one_is_a_weak_answer(
    route: str, places: list[tuple[str, int]], grade: str, write_tree: WriteTree, tmp_path: Path
) -> None:
    index = open_index(write_tree(GO), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search(route, order="pack") if hit.score >= 0.5]
    assert [(index.chunk(hit.chunk).file, hit.lines[0][0]) for hit in hits] == places
    assert index.grade(route).confidence == grade


OTHER_ROUTERS = {
    "api/table.c": "static struct entry entries[] = {\n"
    '\t{ "/api/carts", "/{id}", cart_one, { PARSE_JSON, 0 }, true, HTTP_GET | HTTP_DELETE },\n'
    '\t{ "/api/carts", "", cart_list, { PARSE_JSON, 0 }, true, HTTP_POST },\n'
    '\t{ "/api/parts", "/{kind}/{name}", cart_part, { PARSE_JSON, 0 }, true, HTTP_GET },\n'
    '\t{ "/api/sums", "", cart_list, { PARSE_JSON, 0 }, true, HTTP_GET },\n};\n',
    "api/carts.c": "int cart_list(struct conn *api)\n{\n\treturn 1;\n}\n\n"
    "int cart_one(struct conn *api)\n{\n\treturn 2;\n}\n\nint cart_part(struct conn *api)\n{\n\treturn 3;\n}\n",
    "src/api/sums.c": "#include <api.h>\n",
    "api/flags.h": "enum flags {\n\tPARSE_JSON = 1,\n\tHTTP_GET = 2,\n};\n",
    "web/serve.rs": "async fn serve(config: Config) {\n    let app = Router::new()\n"
    '        .route("/ws/terminal", any(all_terminals))\n'
    '        .route("/ws/terminal/{session}", any(one_terminal));\n    app.run(config).await;\n}\n',
    "web/hyper.rs": "async fn answer(request: Request) -> Response {\n    match (request.method(), request.path()) {\n"
    '        (&Method::GET, "/api/v2/bags") => bags().await,\n        (&Method::POST, "/api/v2/bags") => {\n'
    "            fill_bags(request).await\n        }\n    }\n}\n",
    "web/client.rs": "/// POST /api/v2/bags\nasync fn post_bags(host: &str) {\n    send(host).await\n}\n",
    "web/table.lua": 'return {\n  ["/bins/:bin/lids"] = {\n    GET = function()\n      return 1\n    end,\n  },\n}\n',
    "web/use.lua": 'local LIDS = "/bins/:bin/lids"\n\nlocal function use()\n  return LIDS\nend\n',
    "web/badge.js": 'router.get("/badge/:id/uptime", cache("5 minutes"), async (request, response) => {\n'
    "    allowAllOrigin(response);\n});\n",
    "web/cors.js": "function allowAllOrigin(response) {\n    response.origin = '*';\n}\n",
}


@pytest.mark.parametrize(
    ("route", "places"),
    [
        ("where is DELETE /api/carts/10.0.0.5 handled", [("api/table.c", 2), ("api/carts.c", 6)]),
        ("POST /api/carts", [("api/table.c", 3), ("api/carts.c", 1)]),
        ("GET /api/parts/fruit/apple", [("api/table.c", 4), ("api/carts.c", 11)]),
        ("/api/sums", [("api/table.c", 5), ("api/carts.c", 1)]),  # rather than a file named so
        ("GET /ws/terminal/my-session", [("web/serve.rs", 4)]),  # the value of a parameter, which `::new` is not
        ("POST /api/v2/bags", [("web/hyper.rs", 4)]),  # an arm, rather than what a client says
        ("/bins/{bin}/lids", [("web/table.lua", 2)]),
        ("GET /badge/7/uptime", [("web/badge.js", 1)]),  # its own handler, not what that calls first
    ],
)
def test_entries_chains_and_functions_declare_routes(
    route: str, places: list[tuple[str, int]], write_tree: WriteTree, tmp_path: Path
) -> None:
    index = open_index(write_tree(OTHER_ROUTERS), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search(route, order="pack") if hit.score >= 0.5]
    assert {(index.chunk(hit.chunk).file, line) for hit in hits for line, _ in hit.lines} == {*places}
    assert index.grade(route).confidence == "strong"


AROUND_HANDLERS = {
    "server/router.rs": "pub fn router() -> Router {\n    Router::new()\n"
    '        .route("/account", delete(user::remove))\n'
    '        .route("/account/password", patch(user::change_password))\n'
    '        .route("/carts", web::get().to(list_carts))\n        .route("/carts", web::post().to(add_cart))\n'
    '        .api_route_with(\n            "/carts/{cart}/lines",\n'
    "            post_with(add_line, docs).get_with(lines, docs),\n"
    "        )\n}\n",
    "server/user.rs": "pub async fn remove() -> u8 {\n    1\n}\n\npub async fn change_password() -> u8 {\n    2\n}\n",
    "server/carts.rs": "pub async fn list_carts() -> u8 {\n    1\n}\n\npub async fn add_cart() -> u8 {\n    2\n}\n\n"
    "pub fn post() -> u8 {\n    3\n}\n\npub async fn lines() -> u8 {\n    4\n}\n\n"
    "pub async fn add_line() -> u8 {\n    5\n}\n",
    "client/api.rs": "impl Client {\n    pub async fn change(&self) -> Result {\n"
    '        let url = self.address.append_path("account/password")?;\n'
    "        self.inner.patch(url).send().await\n    }\n}\n\n"
    "#[cfg(test)]\nmod tests {\n    #[tokio::test]\n    async fn lists() {\n        Mock::given(any())\n"
    '            .and(method("GET"))\n            .and(path("/carts"))\n'
    "            .mount(&server)\n            .await;\n    }\n}\n",
}


@pytest.mark.parametrize(
    ("route", "places"),
    [
        ("PATCH /account/password", [("server/router.rs", 4), ("server/user.rs", 5)]),  # not the client
        ("GET /carts", [("server/router.rs", 5), ("server/carts.rs", 1)]),  # not the server of a test
        ("POST /carts", [("server/router.rs", 6), ("server/carts.rs", 5)]),  # not `post`
        ("POST /carts/3/lines", [("server/router.rs", 8), ("server/carts.rs", 17)]),
    ],
)
def test_the_method_of_a_route_may_be_a_call_around_its_handler(
    route: str, places: list[tuple[str, int]], write_tree: WriteTree, tmp_path: Path
) -> None:
    index = open_index(write_tree(AROUND_HANDLERS), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search(route, order="pack") if hit.score >= 0.5]
    assert [(index.chunk(hit.chunk).file, hit.lines[0][0]) for hit in hits] == places


@pytest.mark.parametrize(
    ("route", "line"),
    [
        ("GET /v1/carts/alice", 5),
        ("DELETE /v1/carts/3/items/4", 8),
        ("PATCH /v1/carts/alice/items", 11),
    ],
)
def test_several_parts_of_a_route_may_be_one_parameter(
    route: str, line: int, write_tree: WriteTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("index.search.routing.declarations.MAX_FILES", 3)  # as if many files had the parts
    rpc = "  rpc {0}({0}Request) returns (Cart) {{\n    option (google.api.http) = {{{1}}};\n  }}\n"
    files = {
        "carts.proto": 'syntax = "proto3";\n\nservice Carts {\n'
        + rpc.format("GetCart", 'get: "/v1/{name=carts/*}"')
        + rpc.format("DeleteItem", 'delete: "/v1/{name=carts/*/items/*}"')
        + rpc.format("SetItems", 'patch: "/v1/{name=carts/*}/items" body: "*"')
        + rpc.format("UpdateCart", 'patch: "/v1/{cart.name=carts/*}" body: "cart"')
        + "}\n",
        "items.proto": "message Item {\n  option (google.api.resource) = {\n    type: 'shop/Item'\n"
        '    pattern: "carts/{cart}/items/{item}"\n  };\n}\n\n'
        "message Cart {\n  option (google.api.resource) = {\n    type: 'shop/Cart'\n"
        '    pattern: "carts/{cart}"\n  };\n}\n',
        "items.go": "package shop\n\nvar items = Carts()\n",
        "v1/alice.go": 'package v1\n\nvar alice = "/items/"\n',
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    hit = index.search(route)[0]
    assert (index.chunk(hit.chunk).file, hit.lines) == ("carts.proto", ((line, line),))


@pytest.mark.parametrize(
    ("route", "file"),
    [
        ("GET /api/carts/3f2c1a9e-1111-4c22-9bbb-0123456789ab/items", "app/api/carts/[cartId]/items/route.ts"),
        ("DELETE /api/carts/blue", "app/api/carts/[cartId]/route.ts"),
        ("GET /api/carts/new", "app/api/carts/new/route.ts"),  # its name comes before a parameter
        ("/shop/blue", "app/(main)/shop/[slug]/page.tsx"),
        ("/north/tags/blue", "pages/[[area]]/tags/[tag].vue"),
        ("POST /pay/now", "server/pay.ts"),  # two parameters name nothing of it
    ],
)
def test_a_folder_in_brackets_has_any_value(route: str, file: str, write_tree: WriteTree, tmp_path: Path) -> None:
    method = "export async function {}(request: Request) {{\n  return answer(request)\n}}\n"
    files = {
        "app/api/carts/[cartId]/route.ts": method.format("GET") + method.format("DELETE"),
        "app/api/carts/[cartId]/items/route.ts": method.format("GET"),
        "app/api/carts/new/route.ts": method.format("GET"),
        "app/(main)/shop/[slug]/page.tsx": "export default function Page() {\n  return <Shop />\n}\n",
        "pages/[[area]]/tags/[tag].vue": "<script setup>\nconst tag = 1\n</script>\n\n<template><p /></template>\n",
        "app/pay/[...rest]/page.tsx": "export default function Rest() {\n  return <Rest />\n}\n",
        "app/[one]/[two]/page.tsx": "export default function Other() {\n  return <Other />\n}\n",
        "server/pay.ts": "router.post('/pay/now', pay)\n",
        "hooks/useCart.ts": "export function useCart(id, part) {\n"
        "  return useQuery(() => get(`/carts/${id}/items`, part))\n}\n"
        "export function useShop(name) {\n  return get(`/shop/${name}`)\n}\n",
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    assert index.chunk(index.search(route, order="pack")[0].chunk).file == file


def test_files_with_more_and_more_parts_of_a_route_are_searched_until_they_are_few(
    write_tree: WriteTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched = list[str]()
    monkeypatch.setattr("index.search.routing.declarations.MAX_FILES", 1)  # as if many files had two parts
    monkeypatch.setattr(
        "index.search.routing.declarations._matches", lambda text, *_: searched.append(text) or iter(())
    )
    few = {
        f"{first}{at}.py": f"load('/{first}/carts')\n" for first, size in (("api", 3), ("v1", 2)) for at in range(size)
    }
    files = {"all.py": "load('/api/v1/carts')\n", "other.py": "load('/carts')\n", **few}
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    index.search("/api/v1/carts")
    assert searched == [files["all.py"]]


GORILLA = {
    "server/routes.go": 'package server\n\nfunc routes(r *mux.Router) {\n\tapi := r.PathPrefix("/api").Subrouter()\n'
    '\tapi.Handle("/enter", wrap(enterDesk, "")).Methods("POST")\n'
    '\tapi.PathPrefix("/shelves").Handler(wrap(getShelves, "")).Methods("GET")\n'
    '\tapi.PathPrefix("/shelves").Handler(wrap(addShelves, "")).Methods("POST")\n}\n',
    "server/shelves.go": "package server\n\nfunc getShelves(w W) {\n\tw.Write(1)\n}\n\n"
    "func addShelves(w W) {\n\tw.Write(2)\n}\n",
    "server/enter.go": "package server\n\nfunc enterDesk(w W) {\n\tw.Write(3)\n}\n",
    "cmd/shelves.go": 'package cmd\n\nvar shelvesCmd = &cobra.Command{\n\tUse: "shelves",\n\tShort: "All",\n}\n',
    "web/enter.ts": "export async function enter() {\n  await fetch(`${base}/api/enter`, { method: 'POST' });\n}\n\n"
    "export function leave() {\n  if (base === '/api' && page !== '/enter') {\n    router.push({\n"
    "      path: '/enter',\n    });\n  }\n}\n",
}


@pytest.mark.parametrize(
    ("route", "files"),
    [
        ("POST /api/shelves/3", ["server/routes.go", "server/shelves.go"]),
        ("POST /api/enter", ["server/routes.go", "server/enter.go"]),
    ],
)
def test_the_prefix_of_a_path_declares_a_route_and_a_page_that_goes_there_does_not(
    route: str, files: list[str], write_tree: WriteTree, tmp_path: Path
) -> None:
    index = open_index(write_tree(GORILLA), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search(route) if hit.score >= 0.9]
    assert [index.chunk(hit.chunk).file for hit in hits] == files
